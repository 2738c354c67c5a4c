"""Plans: what options mean to the code that counts and to the code that scores.

A plan is made once, when options are checked. Code that reads a plan never asks for the name of a
profile or of a family.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..families.base import Counting, Output, ScoreWarning, Scoring
from ..families.counts import Layout
from ..samples.inputs import Samples
from ..samples.token_ids import IdRules
from ..text.tokenizer import Tokenizer


class CountPlan(NamedTuple):
    """What is counted.

    Attributes:
        parts: by the name of each family that is counted, in the order of results.
        ids: which token ids are tokens.
        layouts: of all arrays of counts but ``reference_counts``.
        line_types: the scores for which the lines of a text are its sentences.
        of_texts: names of the families that count texts.
        of_ids: names of the families that count token ids.
        plain_tokenizers: those of the families, without limits, stop words and stemmer.
        checks: what warns of samples, or refuses them, before they are counted.
    """

    parts: Mapping[str, Counting]
    ids: IdRules
    layouts: Mapping[str, Layout]
    line_types: tuple[str, ...]
    of_texts: tuple[str, ...]
    of_ids: tuple[str, ...]
    plain_tokenizers: tuple[Tokenizer, ...]
    checks: tuple[Callable[[Samples], None], ...]

    @classmethod
    def of(cls, parts: Mapping[str, Counting], ids: IdRules) -> "CountPlan":
        """Return the plan of some families."""
        layouts: dict[str, Layout] = {}
        for part in parts.values():
            layouts.update(part.layout())
        checks = (part.prepare_check() for part in parts.values())
        return cls(
            parts,
            ids,
            layouts,
            line_types=tuple(name for part in parts.values() for name in part.line_types),
            of_texts=tuple(name for name, part in parts.items() if not part.uses_ids),
            of_ids=tuple(name for name, part in parts.items() if part.uses_ids),
            plain_tokenizers=tuple(part.plain_tokenizer for part in parts.values()),
            checks=tuple(check for check in checks if check is not None),
        )


class ScorePlan(NamedTuple):
    """How counts become scores.

    Attributes:
        parts: by the name of each family that is scored, in the order of results.
        output: what results contain.
        warnings: what finds scores of all samples that mislead.
    """

    parts: Mapping[str, Scoring[Any]]
    output: Output
    warnings: tuple[ScoreWarning, ...]

    @classmethod
    def of(cls, parts: Mapping[str, Scoring[Any]], output: Output) -> "ScorePlan":
        """Return the plan of some families."""
        warnings = (part.prepare_score_warning() for part in parts.values())
        return cls(parts, output, tuple(each for each in warnings if each is not None))

    @property
    def names(self) -> list[str]:
        """Return the names of all scores, in the order of results."""
        return [name for part in self.parts.values() for name in part.names]


class Plan(NamedTuple):
    """Both plans.

    Attributes:
        families: what callers ask for the families by.
        counting: what is counted.
        scoring: how counts become scores.
    """

    families: tuple[Any, ...]
    counting: CountPlan
    scoring: ScorePlan

    def pairs(self) -> Iterator[tuple[Counting, Scoring[Any]]]:
        """Iterate over both parts of each family."""
        return zip(self.counting.parts.values(), self.scoring.parts.values(), strict=True)

    @property
    def is_resampled(self) -> bool:
        """Return whether resamples are drawn."""
        return any(self._list_streams())

    @property
    def has_seed(self) -> bool:
        """Return whether they are drawn from a random stream with a seed."""
        return "seeded" in self._list_streams()

    def _list_streams(self) -> list[str | None]:
        output = self.scoring.output
        return [part.find_random_stream(output) for part in self.scoring.parts.values()]

    def of(self, names: Sequence[str], families: Sequence[Any]) -> "Plan":
        """Return the plan of some of the families.

        Args:
            names: of the families.
            families: what callers ask for them by.
        """
        if [*names] == [*self.counting.parts] and tuple(families) == self.families:
            return self
        counting = {name: self.counting.parts[name] for name in names}
        scoring = {name: self.scoring.parts[name] for name in names}
        return Plan(
            tuple(families),
            CountPlan.of(counting, self.counting.ids),
            ScorePlan.of(scoring, self.scoring.output),
        )
