"""What a family says of texts: tokens with their places, matches, and sentences on what is lost."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from ..messages import Argument, format_message, value_error
from ..text.align import MappedText, Token, align_tokens
from ..text.tokenizer import Tokenizer
from .lcs import Lcs, UnionLcs
from .ngrams import Matches

# The most tokens of a text: the LCS of two such texts takes 13 MB. The lists of n-grams of longer
# texts are not for readers.
MOST_TOKENS: Final = 10_000

# How many different pieces of a text a note shows.
_SHOWN: Final = 5


class FoundTokens(NamedTuple):
    """What a tokenizer and the steps before and after it leave of a text.

    Stop words are in ``stopped``, what a limit leaves is in ``kept``. ``marks`` are the indices of
    the characters that end sentences and are in none.
    """

    text: str
    tokens: list[Token]
    forms: list[str]
    stopped: list[Token]
    kept: MappedText
    sentences: list[list[Token]]
    marks: Sequence[int] = ()


class Explained(NamedTuple):
    """The scores of one family for one sample, explained; ``matches`` and ``lcs`` are by score.

    ``scores`` is what ``Explanation`` has of the family, by the names of its attributes.
    """

    matches: dict[str, tuple[Matches, ...]]
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]]
    scores: dict[str, Any]
    notes: list[str]


def list_forms(tokens: Sequence[Token]) -> list[str]:
    """Return tokens as they are compared."""
    return [token.form for token in tokens]


def find_tokens(text: str, mapped: MappedText, tokenizer: Tokenizer) -> FoundTokens:
    """Return the tokens of a text; ``mapped`` is the text as it is tokenized."""
    tokens = align_tokens(text, mapped, tokenizer)
    return FoundTokens(text, tokens, list_forms(tokens), [], mapped, [])


def check_tokens(texts: Sequence[str], tokenizer: Tokenizer) -> None:
    """Raise ValueError if the prediction or a reference has too many tokens to be explained."""
    for index, text in enumerate(texts):
        tokens = len(tokenizer(text))
        if tokens > MOST_TOKENS:
            raise value_error(
                "{} has {:,} tokens",
                *(Argument(name_text(index)), tokens),
                expected=f"explain takes at most {MOST_TOKENS:,}.",
                remedy="Explain a part of the text.",
            )


def name_text(index: int) -> str:
    """Return the name of a text in errors: of the prediction, or of a reference after it."""
    return f"references[{index - 1}]" if index else "prediction"


def describe_missing(order: int, total: int, subject: str = "the prediction") -> str:
    """Say why no n-gram of an order matches; ``total`` is how many the subject has."""
    what = "token" if order == 1 else f"{order}-gram"
    if total:
        return f"no {what} of {subject} occurs in a reference"
    is_one = subject == "the prediction"
    if order == 1:
        return f"{subject} {'has' if is_one else 'have'} no token"
    return f"{subject} {'is' if is_one else 'are'} too short for a {what}"


def list_losses(
    text: FoundTokens, place: str | Argument, tokenizer: str | Argument, family: str
) -> Iterator[str]:
    """Iterate over sentences that say what a family does not compare of a text."""
    spans = zip(text.kept.starts, text.kept.ends, strict=True)
    read = {index for start, end in spans for index in range(start, end)}
    covered = {
        *text.marks,
        *(i for token in (*text.tokens, *text.stopped) for i in range(token.start, token.end)),
    }
    visible = [index for index, sign in enumerate(text.text) if not sign.isspace()]
    dropped = [index for index in visible if index in read and index not in covered]
    cut = sum(index not in read for index in visible)
    words = [token.text for token in text.stopped]
    lost = [token.form for token in text.tokens if not token.text]

    def show_pieces(indices: Sequence[int]) -> tuple[str, str | Argument, str]:
        pieces = _list_pieces(text.text, indices)
        return _count(len(indices), "character"), place, _show(pieces)

    if text.marks:
        pieces = show_pieces(text.marks)
        yield format_message("The split into sentences drops {} of {}: {}.", *pieces)
    if dropped:
        yield format_message("The {} drops {} of {}: {}.", tokenizer, *show_pieces(dropped))
    if cut:
        yield format_message("The limit cuts {} of {}.", _count(cut, "character"), place)
    if words:
        what, end = _count(len(words), "stop word"), (_be(words), _show(words))
        yield format_message("{} of {} {} left out: {}.", what, place, *end)
    if lost:
        what, end = _count(len(lost), "token"), (_be(lost), _show(lost))
        yield format_message(
            "{} of {} for {} {} no piece of the text: {}.", what, place, family, *end
        )


def _be(items: Sequence[str]) -> str:
    return "is" if len(items) == 1 else "are"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _list_pieces(text: str, indices: Sequence[int]) -> list[str]:
    """Return the pieces of a text that consecutive indices make."""
    groups = groupby(enumerate(indices), key=lambda item: item[1] - item[0])
    return ["".join(text[index] for _, index in group) for _, group in groups]


def _show(pieces: Sequence[str]) -> str:
    """Write the first different ones of some pieces."""
    distinct = list(dict.fromkeys(pieces))
    shown = ", ".join(map(repr, distinct[:_SHOWN]))
    return f"{shown} and others" if len(distinct) > _SHOWN else shown


def join_names(names: Sequence[str]) -> str:
    """Write names as a sentence has them, such as ``BLEU, rouge2 and rougeL``."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
