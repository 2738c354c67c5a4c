"""Sentences that say why nothing matches, and what options leave out of a text."""

from collections.abc import Iterator, Sequence
from typing import Final

from ..messages import Argument, format_message
from ..text.alignment import Token
from .tokens import FoundTokens

# How many different pieces of a text a note shows.
_SHOWN: Final = 5


def describe_missing(order: int, total: int, subject: str = "the prediction") -> str:
    """Say why no n-gram of an order matches.

    Args:
        order: n of the n-grams.
        total: how many n-grams of this order the subject has.
        subject: the prediction, or all predictions.

    >>> describe_missing(4, 9)
    'no 4-gram of the prediction occurs in a reference'
    >>> describe_missing(4, 0, "the predictions")
    'the predictions are too short for a 4-gram'
    """
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
    """Iterate over sentences that say what is not compared of a text.

    Args:
        text: with its tokens.
        place: what the text is called.
        tokenizer: what the tokenizer is called.
        family: what compares the tokens.
    """
    read = {
        index
        for start, end in zip(text.kept.starts, text.kept.ends, strict=True)
        for index in range(start, end)
    }
    tokens = [*text.tokens, *text.stopped]
    covered = {index for token in tokens for index in range(token.start, token.end)}
    left = [index for index, sign in enumerate(text.text) if not sign.isspace()]
    if text.marks:
        what, pieces = _count(len(text.marks), "character"), _list_pieces(text.text, text.marks)
        yield format_message(
            "The split into sentences drops {} of {}: {}.", what, place, _show(pieces)
        )
    covered.update(text.marks)
    dropped = [index for index in left if index in read and index not in covered]
    if dropped:
        what, pieces = _count(len(dropped), "character"), _list_pieces(text.text, dropped)
        yield format_message("The {} drops {} of {}: {}.", tokenizer, what, place, _show(pieces))
    cut = [index for index in left if index not in read]
    if cut:
        yield format_message("The limit cuts {} of {}.", _count(len(cut), "character"), place)
    if text.stopped:
        what, words = _count(len(text.stopped), "stop word"), [token.text for token in text.stopped]
        end = _be(words), _show(words)
        yield format_message("{} of {} {} left out: {}.", what, place, *end)
    lost = [token.form for token in text.tokens if not token.text]
    if lost:
        given = _count(len(lost), "token"), place, family, _be(lost), _show(lost)
        yield format_message("{} of {} for {} {} no piece of the text: {}.", *given)


def _be(items: Sequence[str | Token]) -> str:
    return "is" if len(items) == 1 else "are"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _list_pieces(text: str, indices: Sequence[int]) -> list[str]:
    """Return the pieces of a text that consecutive indices make.

    >>> _list_pieces("a, b...", [1, 4, 5, 6])
    [',', '...']
    """
    pieces: list[str] = []
    before = -2
    for index in indices:
        if index == before + 1:
            pieces[-1] += text[index]
        else:
            pieces.append(text[index])
        before = index
    return pieces


def _show(pieces: Sequence[str]) -> str:
    """Write the first different ones of some pieces."""
    distinct = list(dict.fromkeys(pieces))
    shown = ", ".join(map(repr, distinct[:_SHOWN]))
    return f"{shown} and others" if len(distinct) > _SHOWN else shown


def join_names(names: Sequence[str]) -> str:
    """Write names as a sentence has them.

    >>> join_names(["BLEU", "rouge2", "rougeL"])
    'BLEU, rouge2 and rougeL'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
