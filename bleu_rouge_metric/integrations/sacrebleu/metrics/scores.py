"""BLEU's score, its signature, and the way from sums of counts to a score."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ....families.bleu.rules import BleuRules
from ....families.bleu.score import describe_statistics, format_details, format_precisions
from ....families.bleu.statistics import BleuStatistics
from ....options.sacrebleu_signature import name_smoothing
from .base import Score, Signature

# The smoothings, each with its default value.
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
    """Make the rules of options that were checked."""
    return BleuRules(
        "sacrebleu",
        max_ngram_order,
        smooth=smooth_method,
        smooth_value=smooth_value,
        reference_length="closest",
        effective_order=bool(effective_order),
    )


def check_smooth_method(name: object) -> None:
    """Raise AssertionError, as sacrebleu does, if a smoothing is unknown."""
    if name not in SMOOTH_DEFAULTS:
        expected = ", ".join(map(repr, SMOOTH_DEFAULTS))
        # Parity: the text of sacrebleu has the name of a variable in the place of the value.
        raise AssertionError(f"Unknown smooth_method {name!r}; expected {expected}.")


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
