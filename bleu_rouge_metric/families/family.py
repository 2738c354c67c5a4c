"""A family of scores: what turns options into the two objects of ``base.py``."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from ..samples.token_ids import IdRules
from ..schema.option import Option
from .base import Counting, Scoring, Values
from .counts import SampleCounts

# A score before and after a change.
Pair = tuple[float, float]


class Change(NamedTuple):
    """One part of the arithmetic that is changed.

    Attributes:
        counting: of a family, after the change.
        scoring: likewise.
        reason: what the change does; empty if ``Family.explain_change`` says it of the scores.
    """

    counting: Counting
    scoring: Scoring[Any]
    reason: str = ""


class Family(ABC):
    """A family of scores.

    Attributes:
        name: unique.
        group: what callers ask for. Families may share it; a profile has at most one of a group.
        tokenizer: name of the option that chooses the tokenizer.
        options: that only this family has, or this group.
        title: the score as papers write it.
        scores: names of its scores, or the most common ones; empty for the name of the family.
        parts: of a detailed score; a plain number is the last of them.
        aliases: keys of a result that a library uses for a score, with the name of the score.
        facts: keys of a result that are not scores, such as lengths.
        compared: values of options with which profiles are compared, unless the caller gives some.
    """

    name: ClassVar[str]
    group: ClassVar[str]
    tokenizer: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    title: ClassVar[str]
    scores: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[tuple[str, ...]] = ("value",)
    aliases: ClassVar[Mapping[str, str]] = {}
    facts: ClassVar[frozenset[str]] = frozenset()
    compared: ClassVar[Mapping[str, Any]] = {}

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def make_rules(self, values: Values, convention: str) -> Any:
        """Check values that depend on each other, normalise them in place, and return the rules.

        Args:
            values: of all options, each checked alone.
            convention: whose arithmetic the profile follows.

        Raises:
            TypeError: a value is of a wrong type.
            ValueError: a value is out of range.
        """
        del values, convention

    @abstractmethod
    def plan(
        self, values: Values, rules: Any, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what is counted, and how counts become scores.

        Args:
            values: of all options, checked.
            rules: what ``make_rules`` returned.
            ids: how token ids are read.
            convention: whose arithmetic the profile follows.

        Raises:
            ValueError: the name of a tokenizer, a splitter or a list is unknown, or what it needs
                is not installed.
        """

    def warn(self, values: Values, counting: Any) -> None:  # noqa: B027 - most need not
        """Warn of values without effect."""

    @property
    def score_names(self) -> tuple[str, ...]:
        """Return the names of its scores, or the most common ones."""
        return self.scores or (self.name,)

    def has_score(self, name: object) -> bool:
        """Return whether a score has this name."""
        return name in self.score_names

    def check_name(self, name: object) -> None:  # noqa: B027 - most need not
        """Raise ValueError for a name that is nearly that of a score, and of no family."""

    def owns(self, key: str) -> bool:
        """Return whether a key of a result is a score of this family, or a bound of one."""
        names = (*self.score_names, *self.aliases)
        return any(key == name or key.startswith(f"{name}_") for name in names)

    def write_name(self, score: str) -> str:
        """Return the name of a score as papers write it."""
        return self.title if score == self.name else score

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the options that request scores of these names."""
        del names
        return {}

    def narrow(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return values for all families of the group without what this one cannot score."""
        return values

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of an arithmetic, one changed after the other.

        Args:
            before: with the options of a profile and the arithmetic of ``hf``; perhaps of another
                family of the group.
            after: of the profile; of this family.
        """
        del before
        yield after

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how a change of the arithmetic without a reason of its own changes a score.

        Args:
            name: of the score.
            before: with the options of a profile and the arithmetic of ``hf``, or a part of it.
            after: the next part.
            counts: of all samples, by the counting of ``after``.
            values: the score before and after.
        """
        del name, before, after, counts, values
        return f"the arithmetic of {self.name}"
