"""What the libraries return beside BLEU: precisions, brevity penalty and lengths."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...counting.kernels import BleuCounts
from ...tables import write_html
from .formula import SCALES, score_statistics
from .rules import BleuRules
from .smoothing import smooth_precisions
from .statistics import BleuStatistics, gather_corpus


class BleuScore(NamedTuple):
    """The outputs of evaluate's ``bleu``, in the same order; also used for NLTK's BLEU.

    sacrebleu's names work too, in its units: ``score`` is ``bleu`` times 100, ``bp``, ``sys_len``
    and ``ref_len``.

    Attributes:
        bleu: in [0, 1]; NLTK's ``method5`` to ``method7`` may exceed 1. A list of one score per set
            if there are several sets of weights.
        precisions: n-gram precisions for orders 1 to ``max_order``, each in [0, 1]; after
            smoothing, but for NLTK before smoothing.
        brevity_penalty: in [0, 1]; 1 if the predictions are not shorter than the references.
        length_ratio: prediction tokens per reference token; 0 if the references have no token.
        translation_length: tokens of all predictions.
        reference_length: sum over the samples of the tokens of one reference: the shortest, the
            closest or the longest, as the option says; for ``average`` the sum of the means, a
            float.
    """

    bleu: float
    precisions: list[float]
    brevity_penalty: float
    length_ratio: float
    translation_length: int
    reference_length: int

    @property
    def score(self) -> float:
        """BLEU from 0 to 100, as sacrebleu calls it.

        >>> BleuScore(0.25, [0.5, 0.125], 1.0, 1.0, 6, 6).score
        25.0
        """
        if isinstance(self.bleu, list):
            return [100 * score for score in self.bleu]
        return 100 * self.bleu

    @property
    def bp(self) -> float:
        """Brevity penalty, as sacrebleu calls it."""
        return self.brevity_penalty

    @property
    def sys_len(self) -> int:
        """Tokens of all predictions, as sacrebleu calls them."""
        return self.translation_length

    @property
    def ref_len(self) -> int:
        """Tokens of the references, as sacrebleu calls them."""
        return self.reference_length

    def _repr_html_(self) -> str:
        return write_html(["BLEU", "value"], self._asdict().items())


class SacrebleuScore(NamedTuple):
    """The outputs of sacrebleu, in the same order.

    evaluate's names work too, in its units: ``bleu`` is ``score`` divided by 100,
    ``brevity_penalty``, ``length_ratio``, ``translation_length`` and ``reference_length``.

    Attributes:
        score: in [0, 100]; a list of one score per set if there are several sets of weights.
        counts: n-gram matches for orders 1 to ``max_order``, before smoothing.
        totals: n-grams of the predictions for these orders, before smoothing.
        precisions: each in [0, 100], after smoothing; before smoothing if no token matches.
        bp: brevity penalty, in [0, 1].
        sys_len: tokens of all predictions.
        ref_len: sum over the samples of the tokens of one reference: the closest, or as the option
            ``reference_length`` says; for ``average`` a float.
    """

    score: float
    counts: list[int]
    totals: list[int]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    @property
    def bleu(self) -> float:
        """BLEU from 0 to 1, as evaluate calls it.

        >>> SacrebleuScore(25.0, [3, 1], [6, 8], [50.0, 12.5], 1.0, 6, 6).bleu
        0.25
        """
        if isinstance(self.score, list):
            return [score / 100 for score in self.score]
        return self.score / 100

    @property
    def brevity_penalty(self) -> float:
        """Brevity penalty, as evaluate calls it."""
        return self.bp

    @property
    def length_ratio(self) -> float:
        """Prediction tokens per reference token; 0 if the references have no token."""
        return self.sys_len / self.ref_len if self.ref_len else 0.0

    @property
    def translation_length(self) -> int:
        """Tokens of all predictions, as evaluate calls them."""
        return self.sys_len

    @property
    def reference_length(self) -> int:
        """Tokens of the references, as evaluate calls them."""
        return self.ref_len

    def __str__(self) -> str:
        """Return the line that sacrebleu prints.

        >>> print(SacrebleuScore(35.93, [3, 2], [6, 5], [50.0, 40.0], 1.0, 6, 6))
        BLEU = 35.93 50.0/40.0 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        """
        # Parity: sacrebleu 2.6, BLEUScore and Score.format. Several scores, and the mean length of
        # references, are not known there.
        scores = self.score if isinstance(self.score, list) else [self.score]
        score = ", ".join(f"{score:.2f}" for score in scores)
        precisions = "/".join(f"{precision:.1f}" for precision in self.precisions)
        lengths = f"hyp_len = {self.sys_len} ref_len = {self.ref_len}"
        return (
            f"BLEU = {score} {precisions} (BP = {self.bp:.3f} ratio = {self.length_ratio:.3f} "
            f"{lengths})"
        )

    def _repr_html_(self) -> str:
        return write_html(["BLEU", "value"], self._asdict().items())


def score_corpus(
    counts: BleuCounts, offsets: NDArray[np.int64], rules: BleuRules
) -> dict[str, Any]:
    """Compute BLEU of all samples together, with the other outputs of the arithmetic's library."""
    return describe_statistics(gather_corpus(counts, offsets, rules), rules)


def describe_statistics(statistics: BleuStatistics, rules: BleuRules) -> dict[str, Any]:
    """Return the fields of :class:`SacrebleuScore` for sacrebleu, else of :class:`BleuScore`."""
    length, reference_length = statistics.totals[0], statistics.reference_length
    is_sacrebleu = rules.arithmetic == "sacrebleu"
    scores, precisions, penalty = score_statistics(statistics, rules, is_sentence=False)
    score = scores if len(scores) > 1 else scores[0]
    # Parity: sacrebleu's compute_bleu returns before it smooths if nothing matches.
    is_smoothed = statistics.matches[0] if is_sacrebleu else rules.arithmetic == "hf"
    if precisions is None or not is_smoothed:
        unsmoothed = rules._replace(smooth="none", smooth_value=None)
        precisions = smooth_precisions(statistics, unsmoothed, SCALES[rules.arithmetic])
    if is_sacrebleu:
        return {
            "score": score,
            # Parity: sacrebleu's compute_bleu returns counts after add-k smoothing; these are the
            # counts before it.
            "counts": [*statistics.matches[: rules.max_order]],
            "totals": [*statistics.totals[: rules.max_order]],
            "precisions": precisions,
            "bp": penalty,
            "sys_len": length,
            "ref_len": reference_length,
        }
    return {
        "bleu": score,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": length / reference_length if reference_length else 0.0,
        "translation_length": length,
        "reference_length": reference_length,
    }
