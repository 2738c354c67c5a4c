"""The result of a comparison of systems, and its representations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..tables import Tabular
from .resampled_systems import ResampledSystems
from .system_counts import CountedSystems
from .system_signature import read_comparison_signature
from .system_tables import write_latex_tables, write_markdown_page, write_page, write_plain
from .system_words import describe_difference

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords


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
        margin: by how much the system may be worse, in a test of non-inferiority; else None.
        runs: how many runs the system has, if there are several; the value is their mean.
        run_std: standard deviation of the scores of the runs.
        run_share: share of the variance of the difference that comes from runs, not from samples.
        error: standard error of the value.
        delta_error: standard error of ``delta``.
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
    margin: float | None = None
    runs: int | None = None
    run_std: float | None = None
    run_share: float | None = None
    error: float | None = None
    delta_error: float | None = None


@dataclass(frozen=True, kw_only=True)
class SystemComparison(ResampledSystems, Tabular):
    """Scores of several systems on the same samples, and tests of their differences.

    The attributes of how the tests were made are those of ``ResampledSystems``.

    Attributes:
        rows: all systems of the first score, the baseline among them, then those of the next.
        baseline: the system that the others are compared with.
        groups: the comparisons of the groups alone, by name; empty if none were asked for.
        counted: the counts of the systems, for ``influence``; None in a copy or from a pickle.
    """

    rows: tuple[SystemScore, ...]
    baseline: str
    groups: Mapping[str, "SystemComparison"] = field(default_factory=dict)
    counted: CountedSystems | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # The options of the counts may have functions that cannot be pickled.
        return {**vars(self), "counted": None}

    @property
    def subject(self) -> str:
        """Return what is tested, in words that follow "Test"."""
        return f"against {self.baseline}"

    @property
    def has_intervals(self) -> bool:
        """Return whether there is an interval of a score or of a difference."""
        return any(row.low is not None or row.delta_low is not None for row in self.rows)

    @property
    def own_p_values(self) -> list[float]:
        """List the p-values of all samples, without those of groups and without a correction."""
        return [row.p_value for row in self.rows if row.p_value is not None]

    @property
    def systems(self) -> list[str]:
        """Return the names of the systems, in their order."""
        return list(dict.fromkeys(row.system for row in self.rows))

    @property
    def scores(self) -> list[str]:
        """Return the names of the scores, in their order."""
        return list(dict.fromkeys(row.score for row in self.rows))

    def sentences(self) -> list[str]:
        """Return one sentence per system and score: the difference, and whether it is clear."""
        return [line for row in self.rows if (line := describe_difference(row, self))]

    def _own_facts(self) -> dict[str, object]:
        return {"baseline": self.baseline}

    @staticmethod
    def read_signature(text: str, **options: "Unpack[OptionKeywords]") -> dict[str, Any]:
        """Parse a signature into keyword arguments of ``compare_systems``.

        Args:
            text: a line of ``signature``.
            **options: options that override the line, such as functions, which a line can only
                name.

        Raises:
            TypeError: the text is not a str.
            ValueError: the line cannot be read.

        >>> SystemComparison.read_signature("profile:nltk|test:bootstrap|seed:0|baseline:a%7Cb")
        {'profile': 'nltk', 'test': 'bootstrap', 'seed': 0, 'baseline': 'a|b'}
        """
        given: Mapping[str, Any] = options
        return {**read_comparison_signature(text, given), **given}

    def to_dict(self) -> dict[str, Any]:
        """Return everything except counts in JSON types; the rows are dicts."""
        values = self._list_values()
        del values["counted"]
        return {
            **values,
            "rows": [row._asdict() for row in self.rows],
            "groups": {name: group.to_dict() for name, group in self.groups.items()},
            "signature": self.signature(),
        }

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows; with groups, the first column is the group.

        The rows of all samples come first; their group is None.
        """
        return self._make_table("rows", SystemScore._fields)

    def to_markdown(self) -> str:
        """Return a table in Markdown, how it was computed, and the sentences."""
        return write_markdown_page(self)

    def to_latex(self) -> str:
        r"""Return a LaTeX table, which needs ``\usepackage{booktabs}``, with a caption."""
        return write_latex_tables(self)

    def __str__(self) -> str:
        """Return a table with one line per system, how it was computed, and the sentences."""
        return write_plain(self)

    def _repr_html_(self) -> str:
        return write_page(self)
