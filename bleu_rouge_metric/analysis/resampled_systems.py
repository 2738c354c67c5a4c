"""What every result of tests of systems has: how the tests were made, and the signature."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from .system_signature import write_comparison_signature


@dataclass(frozen=True, kw_only=True)
class ResampledSystems:
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
    def has_intervals(self) -> bool:
        """Return whether there is an interval of a score or of a difference."""
        raise NotImplementedError

    @property
    def own_p_values(self) -> list[float]:
        """List the p-values of all samples, without those of groups and without a correction."""
        raise NotImplementedError

    def _own_facts(self) -> dict[str, object]:
        """Return what the signature says of this kind of result."""
        return {}

    def _make_table(self, name: str, fields: Sequence[str]) -> tuple[list[str], list[list[Any]]]:
        """Return the names of the columns and the rows of all samples, then those of the groups.

        With groups, the first column is the group, which is None for all samples.

        Args:
            name: of the attribute that has the rows.
            fields: of a row.
        """
        if not self.groups:
            return list(fields), [list(row) for row in getattr(self, name)]
        parts = [(None, self), *self.groups.items()]
        rows = [[group, *row] for group, part in parts for row in getattr(part, name)]
        return ["group", *fields], rows

    def _list_values(self) -> dict[str, Any]:
        """Return the value of every field by its name."""
        return {item.name: getattr(self, item.name) for item in fields(self)}
