"""BLEU's score, its signature, and the way from sums of counts to a score."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import index
from typing import Any, Final

from ....families.bleu.rules import BleuRules
from ....families.bleu.score import describe_statistics, format_details, format_precisions
from ....families.bleu.statistics import BleuStatistics
from ....options.sacrebleu_signature import name_smoothing
from .base import Score, Signature

# The smoothings, each with its default value, which a program may change.
SMOOTH_DEFAULTS: Final[dict[str, float | None]] = {
    "none": None,
    "floor": BleuRules(smooth="floor").parameter,
    "add-k": BleuRules(smooth="add-k").parameter,
    "exp": None,
}


class BLEUScore(Score):
    """BLEU, and what it was computed from."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        """Store the numbers.

        Args:
            score: in [0, 100].
            counts: matches of each order; with ``add-k`` smoothed.
            totals: n-grams of each order; with ``add-k`` smoothed.
            precisions: in [0, 100], of each order.
            bp: brevity penalty.
            sys_len: tokens of the hypotheses.
            ref_len: tokens of the closest references.
        """
        super().__init__("BLEU", score)
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.prec_str = format_precisions(precisions)
        # Parity: the int 0 if there is no reference token.
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = format_details(self.prec_str, bp, self.ratio, sys_len, ref_len)


class BLEUSignature(Signature):
    """The signature of BLEU."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update({"case": "c", "eff": "e", "tok": "tok", "smooth": "s"})
        smooth, value = args["smooth_method"], args["smooth_value"]
        default = SMOOTH_DEFAULTS[smooth]
        self.info.update({
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": name_smoothing(smooth, (default or 0) if value is None else value),
        })  # fmt: skip


def make_rules(
    smooth_method: str, smooth_value: float | None, max_ngram_order: int, effective_order: object
) -> BleuRules:
    """Check the options of ``BLEU``, and make rules of them.

    Raises:
        AssertionError: the smoothing is unknown.
        TypeError: the order is not an integer.
        ValueError: the order is below 1, or the value of the smoothing below 0.
    """
    if smooth_method not in SMOOTH_DEFAULTS:
        expected = ", ".join(map(repr, SMOOTH_DEFAULTS))
        # Parity: the text of sacrebleu has the name of a variable in the place of the value.
        raise AssertionError(f"Unknown smooth_method {smooth_method!r}; expected {expected}.")
    order = int(index(max_ngram_order))
    if order < 1:
        raise ValueError(f"max_ngram_order is {order}; expected at least 1.")
    value = SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
    if value is not None and value < 0:
        raise ValueError(f"smooth_value is {value}; expected at least 0.")
    return BleuRules(
        "sacrebleu",
        order,
        smooth=smooth_method,
        smooth_value=value,
        reference_length="closest",
        effective_order=bool(effective_order),
    )


def check_counts(
    correct: Sequence[int], total: Sequence[int], sys_len: int, max_order: int
) -> None:
    """Raise ValueError for numbers that no texts have; the arguments are as for a score."""
    if len(correct) < max_order or (any(correct) and not correct[0]):
        raise ValueError(
            f"correct is {correct}; expected {max_order} numbers, which are all 0 if the first is."
        )
    if len(total) < max_order or any(after and not one for one, after in pairwise(total)):
        raise ValueError(f"total is {total}; expected {max_order} numbers, with 0 only at the end.")
    if sys_len < 0:
        raise ValueError(f"sys_len is {sys_len}; expected at least 0.")


def score_counts(
    counts: Sequence[int], totals: Sequence[int], sys_len: int, ref_len: int, rules: BleuRules
) -> BLEUScore:
    """Compute BLEU of sums of counts.

    Args:
        counts: matches of each order; not changed.
        totals: n-grams of each order; not changed.
        sys_len: tokens of the hypotheses.
        ref_len: tokens of the closest references.
        rules: from :func:`make_rules`.
    """
    # With add-k they may become floats.
    matches: list[Any] = list(counts)
    ngrams: list[Any] = list(totals)
    statistics = BleuStatistics(matches, ngrams, ngrams, sys_len, ref_len, matches, sys_len)
    values = describe_statistics(statistics, rules)
    if rules.smooth == "add-k" and matches[0]:
        # Parity: compute_bleu adds k to the counts that it returns, up to an order without n-grams.
        for order in range(1, rules.max_order):
            matches[order] += rules.parameter
            ngrams[order] += rules.parameter
            if not ngrams[order]:
                break
    return BLEUScore(
        values["score"], matches, ngrams, values["precisions"], values["bp"], sys_len, ref_len
    )
