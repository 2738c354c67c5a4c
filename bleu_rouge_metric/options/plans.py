"""The plan of options: what is counted and scored for each family.

A plan is made once, when options are checked. Code that reads a plan never asks for the name of a
profile or of a family.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ..families.counts import Layout
from ..families.score import Output, Score, ScoreWarning
from ..samples.inputs import Samples
from ..samples.token_ids import IdRules


class Plan(NamedTuple):
    """What is counted and scored.

    Attributes:
        scores: by the name of each family, in the order of results.
        ids: which token ids are tokens.
        output: what results contain.
        layouts: of all arrays of counts but ``reference_counts``.
        line_types: the scores for which the lines of a text are its sentences.
        checks: what warns of samples, or refuses them, before they are counted.
        warnings: what finds scores of all samples that mislead.
    """

    scores: Mapping[str, Score]
    ids: IdRules
    output: Output
    layouts: Mapping[str, Layout]
    line_types: tuple[str, ...]
    checks: tuple[Callable[[Samples], None], ...]
    warnings: tuple[ScoreWarning, ...]

    @classmethod
    def of(cls, scores: Mapping[str, Score], ids: IdRules, output: Output) -> "Plan":
        """Return the plan of some families."""
        layouts: dict[str, Layout] = {}
        for score in scores.values():
            layouts.update(score.layout())
        checks = (score.prepare_check() for score in scores.values())
        warnings = (score.prepare_score_warning() for score in scores.values())
        return cls(
            scores,
            ids,
            output,
            layouts,
            line_types=tuple(name for score in scores.values() for name in score.line_types),
            checks=tuple(check for check in checks if check is not None),
            warnings=tuple(warning for warning in warnings if warning is not None),
        )

    def select(self, names: Sequence[str]) -> "Plan":
        """Return the plan of some of the families, by their names."""
        if [*names] == [*self.scores]:
            return self
        return Plan.of({name: self.scores[name] for name in names}, self.ids, self.output)

    def replace_scores(self, scores: Mapping[str, Score]) -> "Plan":
        """Return the plan of other scores with the same output."""
        return Plan.of(scores, self.ids, self.output)

    @property
    def families(self) -> tuple[Any, ...]:
        """Return what callers ask for the families by."""
        return tuple(score.group for score in self.scores.values())

    @property
    def names(self) -> list[str]:
        """Return the names of all scores, in the order of results."""
        return [name for score in self.scores.values() for name in score.names]

    @property
    def counts_ids(self) -> bool:
        """Return whether token ids are counted for a family."""
        return any(score.uses_ids for score in self.scores.values())

    @property
    def counted_by(self) -> tuple[object, ...]:
        """Return what decides the counts: two plans with equal ones count the same."""
        return self.ids, *(score.counted_by for score in self.scores.values())

    @property
    def is_resampled(self) -> bool:
        """Return whether resamples are drawn."""
        return any(self._list_streams())

    @property
    def has_seed(self) -> bool:
        """Return whether they are drawn from a random stream with a seed."""
        return "seeded" in self._list_streams()

    def _list_streams(self) -> list[str | None]:
        return [score.find_random_stream(self.output) for score in self.scores.values()]
