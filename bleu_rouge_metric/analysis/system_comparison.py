"""The result of a comparison of systems."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..tables import Report, Result, Table
from .system_signature import read_comparison_signature, write_comparison_signature
from .system_words import (
    choose_decimals,
    describe_difference,
    describe_test,
    find_p,
    name_score,
    suggest_samples,
    write_delta,
    write_p,
    write_value,
)
from .systems import CountedSystems

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords


@dataclass(frozen=True, kw_only=True)
class ResampledSystems(Result):
    """How systems were resampled and tested.

    Attributes:
        rows: all systems of the first score, then those of the next.
        test: ``approximate_randomization``, ``bootstrap``, or ``bootstrap_t``: Student's t with
            standard errors of the bootstrap.
        n_resamples: how many resamples the test made; if it is exact, all there are.
        is_exact: whether the test went through all resamples there are.
        seed: of the random stream.
        confidence: of the intervals; a difference is called clear if p is at most 1 minus this.
        alternative: ``two-sided``; ``greater`` if only a better score counts; ``noninferior`` if
            the question is whether a score is worse by less than the margin.
        margin: of ``noninferior``, a number or one by score; else None.
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
        groups: the results of the groups alone, by name; empty if none were asked for.
    """

    rows: tuple[Any, ...]
    test: str
    n_resamples: int
    is_exact: bool
    seed: int
    confidence: float
    alternative: str
    margin: float | Mapping[str, float] | None = None
    correction: str | None
    n_tests: int | None = None
    convention: str | None
    n_samples: int
    n_clusters: int | None
    untested_reason: str | None = None
    options: str
    interval_resamples: int
    groups: Mapping[str, Any] = field(default_factory=dict)

    def signature(self) -> str:
        """Return one line that records how scores and tests were computed."""
        test = {
            "test": self.test,
            "n_resamples": self.n_resamples,
            "interval_resamples": self.interval_resamples,
            "seed": self.seed,
            "confidence": self.confidence,
            "alternative": self.alternative,
            "margin": None if self.margin is None else json.dumps(self.margin),
            "correction": self.correction,
            "tests": self.n_tests,
            "convention": self.convention,
            **self._own_facts(),
            "clusters": self.n_clusters,
        }
        return write_comparison_signature(self.options, test)

    @property
    def subject(self) -> str:
        """Return what is tested, in words that follow "Test"."""
        raise NotImplementedError

    @property
    def tested(self) -> Sequence[Any]:
        """Return the rows that have p-values."""
        return self.rows

    @property
    def scores(self) -> list[str]:
        """Return the names of the scores, in their order."""
        return self._list("score")

    def _report(self, tables: Sequence[Table], *notes: str, findings: Sequence[str]) -> Report:
        """Return the report of all samples and of the groups."""
        parts = {f"Group {name}": group.report() for name, group in self.groups.items()}
        return Report(tables, [*describe_test(self), *notes], findings, parts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything except counts in JSON types; the rows are dicts."""
        return {**super().to_dict(), "signature": self.signature()}

    def _own_facts(self) -> dict[str, object]:
        """Return what the signature says of this kind of result."""
        return {}


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
    low: float | None = None
    high: float | None = None
    delta: float | None = None
    delta_low: float | None = None
    delta_high: float | None = None
    p_value: float | None = None
    p_corrected: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    effect_size: float | None = None
    detectable: float | None = None
    mean: float | None = None
    scale: int | None = None
    margin: float | None = None
    runs: int | None = None
    run_std: float | None = None
    run_share: float | None = None
    error: float | None = None
    delta_error: float | None = None


@dataclass(frozen=True, kw_only=True)
class SystemComparison(ResampledSystems):
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

    def read_counts(self) -> CountedSystems:
        """Return the counts of the systems.

        Raises:
            ValueError: it is a copy or comes from a pickle, which have none.
        """
        if self.counted is None:
            raise ValueError(
                "The comparison has no counts, because it is a copy or comes from a pickle; give "
                "the one that compare_systems has returned."
            )
        return self.counted

    @property
    def systems(self) -> list[str]:
        """Return the names of the systems, in their order."""
        return self._list("system")

    def sentences(self) -> list[str]:
        """Return one sentence per system and score: the difference, and whether it is clear."""
        return [line for row in self.rows if (line := describe_difference(row, self))]

    def make_table(self, scores: Sequence[str]) -> Table:
        """Return a row per system; a score has its value, the difference and p."""
        head = [""]
        lines = [[name + " (baseline)" * (name == self.baseline)] for name in self.systems]
        for score in scores:
            rows = [row for row in self.rows if row.score == score]
            decimals = choose_decimals(rows)
            head += [name_score(score), "diff", "p"]
            for line, row in zip(lines, rows, strict=True):
                p = find_p(row)
                line += [
                    write_value(row, decimals),
                    write_delta(row.delta, decimals),
                    "" if p is None else write_p(p),
                ]
        return Table(head, lines, block=3)

    def report(self) -> Report:
        """Return a table of all scores, how it was computed, and the sentences."""
        findings = [*self.sentences(), *suggest_samples(self)]
        return self._report([self.make_table(self.scores)], findings=findings)

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
