"""ROUGE of ``rouge`` and ``rouge-chinese`` as the rest of the package sees it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from ...samples.token_ids import IDS, IdRules
from ...text.basic import split_newline
from ...text.full_stops import CHINESE, FULL_STOPS
from ...text.id_tokens import make_id_splitter, make_id_tokenizer
from ...text.sentences import NEWLINE
from ...text.tokenizer import Tokenizer
from ...text.tokenizer_choice import resolve_tokenizer
from ...text.tokenizers import uses_segmenter
from ..arithmetic import OTHER_ORDER, is_last_digits
from ..base import Counting, Scoring, Values
from ..counts import SampleCounts
from ..family import Change, Family, Pair
from .counting import PltrdyCounting
from .reasons import explain_counts, split_arithmetic
from .scoring import PltrdyScoring
from .types import NAMES, to_type, to_types

# The convention of ``rouge``; the other one is ``rouge-chinese``.
_ROUGE: Final = "rouge"


class Pltrdy(Family):
    """ROUGE of pltrdy's ``rouge``; the convention is ``rouge`` or ``rouge-chinese``."""

    name: ClassVar[str] = "pltrdy"
    group: ClassVar[str] = "rouge"
    tokenizer: ClassVar[str] = "rouge_tokenizer"
    title: ClassVar[str] = "ROUGE"
    scores: ClassVar[tuple[str, ...]] = tuple(NAMES.values())
    parts: ClassVar[tuple[str, ...]] = tuple(PltrdyScoring.keys)

    def make_rules(self, values: Values, convention: str) -> None:
        """Check the types, and keep them by their names in the other profiles."""
        del convention
        values["rouge_types"] = to_types(values["rouge_types"])

    def plan(
        self, values: Values, rules: None, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what is counted, and how it is scored."""
        del rules
        choice, types = values["rouge_tokenizer"], values["rouge_types"]
        is_text = choice != IDS
        sentences = FULL_STOPS if convention == _ROUGE else CHINESE
        tokenizer = _find_tokenizer(values) if is_text else make_id_tokenizer(ids.separator)
        counting = PltrdyCounting(
            choice=choice,
            tokenizer=_keep_lines(tokenizer) if is_text else tokenizer,
            line_tokenizer=tokenizer,
            profile=convention,
            types=types,
            exclusive=values["exclusive"],
            # Parity: rouge-chinese has one LCS of all words, whatever "exclusive" is.
            pairs=convention == _ROUGE,
            rules=sentences if is_text else None,
            split_sentences=NEWLINE if is_text else make_id_splitter(ids.separator),
        )
        return counting, PltrdyScoring(names=tuple(NAMES[name] for name in types))

    def write_name(self, score: str) -> str:
        """Return a score in capital letters."""
        return score.upper()

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the types."""
        return {"rouge_types": [*names]}

    def narrow(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return values without the types that the libraries do not have."""
        types = [name for name in values.get("rouge_types", ()) if to_type(name)]
        others = {name: value for name, value in values.items() if name != "rouge_types"}
        return {**others, "rouge_types": types} if types else others

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of the arithmetic of a library."""
        return split_arithmetic(before, after)

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how the counts of a library change a score."""
        del before, counts
        counting: Any = after.counting
        return OTHER_ORDER if is_last_digits(*values) else explain_counts(name, counting)


def _find_tokenizer(values: Values) -> Tokenizer:
    """Return the tokenizer of texts."""
    choice = values["rouge_tokenizer"]
    segmenter = values["segmenter"] if uses_segmenter(choice) else None
    return resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)


def _keep_lines(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer of texts with one sentence per line, which finds the words of lines."""
    if tokenizer.keeps_lines:
        return tokenizer
    tokenize = tokenizer.function
    return Tokenizer(
        tokenizer.name,
        lambda text: [word for line in split_newline(text) for word in tokenize(line)],
        keeps_lines=True,
    )
