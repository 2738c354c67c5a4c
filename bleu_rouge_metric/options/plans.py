"""Plans: what options say to the code that counts and to the code that scores."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..families.base import Choice as Choice
from ..families.base import Family as FamilyObject
from ..families.base import Output
from ..families.bleu.family import BleuCountPlan as BleuCountPlan
from ..families.rouge.family import RougeCountPlan as RougeCountPlan
from ..samples.token_ids import IdRules

Part = tuple[FamilyObject, Any]


class CountPlan(NamedTuple):
    """What is counted."""

    parts: tuple[Part, ...]
    ids: IdRules

    @property
    def line_types(self) -> tuple[str, ...]:
        return tuple(name for family, plan in self.parts for name in family.line_types(plan))

    def layout(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for family, plan in self.parts:
            found.update(family.layout(plan))
        return found

    def of(self, group: str) -> Any:
        """Return the part of a family (explain)."""
        return next((plan for family, plan in self.parts if family.group == group), None)

    @property
    def bleu(self) -> Any:
        return self.of("bleu")

    @property
    def rouge(self) -> Any:
        return self.of("rouge")


class ScorePlan(NamedTuple):
    """How counts become the scores that are given back."""

    parts: tuple[Part, ...]
    output: Output

    def of(self, name: str) -> Any:
        """Return the part of a family by its name."""
        return next((plan for family, plan in self.parts if family.name == name), None)

    @property
    def signature(self) -> bool:
        return self.output.signature

    @property
    def bleu(self) -> Any:
        return self.of("bleu")

    @property
    def rouge_types(self) -> Any:
        rouge = self.of("rouge")
        return {} if rouge is None else rouge.types


class Plan(NamedTuple):
    """Both plans, and the names of the families that they are for."""

    families: tuple[str, ...]
    counting: CountPlan
    scoring: ScorePlan

    def _draws(self) -> Iterator[str | None]:
        return (family.draws(plan, self.scoring.output) for family, plan in self.scoring.parts)

    @property
    def is_resampled(self) -> bool:
        """Whether samples are drawn at all."""
        return any(self._draws())

    @property
    def has_stream(self) -> bool:
        """Whether they are drawn from a stream with a seed, which ROUGE-1.5.5 has not."""
        return "stream" in self._draws()

    def of(self, families: Sequence[str]) -> "Plan":
        """Return the plan of some of the families."""

        def choose(parts: tuple[Part, ...]) -> tuple[Part, ...]:
            return tuple(part for part in parts if part[0].group in families)

        counting = choose(self.counting.parts)
        return Plan(
            tuple(family.group for family, _ in counting),
            self.counting._replace(parts=counting),
            self.scoring._replace(parts=choose(self.scoring.parts)),
        )
