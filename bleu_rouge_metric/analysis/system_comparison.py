"""The result of a comparison of systems, and its representations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

from ..tables import import_pandas
from .system_counts import CountedSystems
from .system_signature import read_comparison_signature, write_comparison_signature
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


@dataclass(frozen=True, kw_only=True)
class SystemComparison:
    """Scores of several systems on the same samples, and tests of their differences.

    Attributes:
        rows: all systems of the first score, the baseline among them, then those of the next.
        baseline: the system that the others are compared with.
        test: ``approximate_randomization`` or ``bootstrap``.
        n_resamples: how many resamples the test made; if it is exact, all there are.
        is_exact: whether the test went through all resamples there are.
        seed: of the random stream.
        confidence: of the intervals; a difference is called clear if p is at most 1 minus this.
        alternative: ``two-sided``, or ``greater`` if only a higher score counts.
        correction: ``holm``, ``bonferroni``, ``fdr_bh``, or None.
        n_tests: how many p-values were corrected together, those of all groups among them; None
            without a correction.
        convention: ``sacrebleu`` if p-values and intervals are those of that program, else None.
        n_samples: number of samples.
        n_clusters: number of clusters; None if every sample is a unit of its own.
        untested_reason: why there are no intervals and p-values: a group has a single sample, or
            all its samples are in one cluster; None if there are.
        options: the signature of the options of the scores.
        interval_resamples: number of bootstrap resamples behind the intervals.
        groups: the comparisons of the groups alone, by name; empty if none were asked for.
        counted: the counts of the systems, for ``influence``; None in a copy or from a pickle.
    """

    rows: tuple[SystemScore, ...]
    baseline: str
    test: str
    n_resamples: int
    is_exact: bool
    seed: int
    confidence: float
    alternative: str
    correction: str | None
    n_tests: int | None = None
    convention: str | None
    n_samples: int
    n_clusters: int | None
    untested_reason: str | None = None
    options: str
    interval_resamples: int
    groups: Mapping[str, "SystemComparison"] = field(default_factory=dict)
    counted: CountedSystems | None = field(default=None, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        # The options of the counts may have functions that cannot be pickled.
        return {**vars(self), "counted": None}

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

    def signature(self) -> str:
        """Return one line that records how scores and tests were computed."""
        test = {
            "test": self.test,
            "n_resamples": self.n_resamples,
            "interval_resamples": self.interval_resamples,
            "seed": self.seed,
            "confidence": self.confidence,
            "alternative": self.alternative,
            "correction": self.correction,
            "tests": self.n_tests,
            "convention": self.convention,
            "baseline": self.baseline,
            "clusters": self.n_clusters,
        }
        return write_comparison_signature(self.options, test)

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
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        del values["counted"]
        return {
            **values,
            "rows": [row._asdict() for row in self.rows],
            "groups": {name: group.to_dict() for name, group in self.groups.items()},
            "signature": self.signature(),
        }

    def to_pandas(self) -> Any:
        """Return a data frame of the rows; with groups, the first column is the group.

        Raises:
            ImportError: pandas is not installed.
        """
        head, rows = self.to_table()
        return import_pandas().DataFrame(rows, columns=head)

    def to_table(self) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows; with groups, the first column is the group.

        The rows of all samples come first; their group is None.
        """
        if not self.groups:
            return list(SystemScore._fields), [list(row) for row in self.rows]
        rows = [[name, *row] for name, part in self._parts() for row in part.rows]
        return ["group", *SystemScore._fields], rows

    def _parts(self) -> Iterator[tuple[str | None, "SystemComparison"]]:
        """Iterate over all samples, without a name, and the groups."""
        yield None, self
        yield from self.groups.items()

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
