"""The rows of a comparison of systems: a score of one system, and the difference of two."""

from typing import NamedTuple, TypeVar


class SystemScore(NamedTuple):
    """One score of one system, and its difference from the baseline's.

    Everything that compares with the baseline is None for the baseline itself.

    Attributes:
        system: name of the system.
        score: ``bleu``, ``google_bleu``, a ROUGE type, or the name of an outside score.
        value: the score of all samples, from 0 to ``scale``.
        low: lower end of the interval of the value; None if there is none.
        high: upper end of the interval of the value.
        delta: the value minus the baseline's.
        delta_low: lower end of the interval of ``delta``.
        delta_high: upper end of the interval of ``delta``.
        p_value: how probable a difference as large as this one is if the systems do not differ.
        p_corrected: ``p_value`` corrected for the number of tests; None without a correction. The
            intervals are not corrected.
        wins: samples in which the system scores more than the baseline.
        ties: samples in which both score the same.
        losses: samples in which the system scores less. All three, and the effect size, compare
            BLEU of samples with the smoothing of sacrebleu's ``sentence_bleu``.
        effect_size: mean of the differences between samples over their standard deviation.
        detectable: the smallest difference that is found with a power of 0.8 in as many samples
            as these, at the corrected level; None if no difference can be found.
        mean: of the resampled scores; only with ``convention="sacrebleu"``.
        scale: the score of a perfect system, 1 or 100; None for an outside score.
    """

    system: str
    score: str
    value: float
    low: float | None
    high: float | None
    delta: float | None
    delta_low: float | None
    delta_high: float | None
    p_value: float | None
    p_corrected: float | None
    wins: int | None
    ties: int | None
    losses: int | None
    effect_size: float | None
    detectable: float | None
    mean: float | None = None
    scale: int | None = None


class SystemPair(NamedTuple):
    """The difference of two systems in one score; its numbers are those of ``SystemScore``.

    Attributes:
        baseline: name of the first system.
        system: name of the second system.
        score: name of the score.
        delta: the value of the second system minus that of the first.
        delta_low: lower end of the interval of ``delta``.
        delta_high: upper end of the interval of ``delta``.
        p_value: how probable a difference as large as this one is if the systems do not differ.
        p_corrected: ``p_value`` corrected for the number of tests.
        wins: samples in which the second system scores more than the first.
        ties: samples in which both score the same.
        losses: samples in which the second system scores less.
        effect_size: mean of the differences between samples over their standard deviation.
        detectable: the smallest difference that is found with a power of 0.8.
        scale: the score of a perfect system, 1 or 100; None for an outside score.
    """

    baseline: str
    system: str
    score: str
    delta: float
    delta_low: float | None
    delta_high: float | None
    p_value: float | None
    p_corrected: float | None
    wins: int
    ties: int
    losses: int
    effect_size: float | None
    detectable: float | None
    scale: int | None = None

    def add_to(self, row: SystemScore) -> SystemScore:
        """Return a row of the second system with what compares it with the first."""
        ours = self._asdict()
        del ours["baseline"]
        return row._replace(**ours)


RowT = TypeVar("RowT", SystemScore, SystemPair)
