"""Say in one sentence each what made a score 0, and what the options leave out of a text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..counting.rouge_types import parse_rouge_type
from ..families.bleu.decomposition import describe_missing, find_missing
from ..families.registry import FAMILIES
from ..options.plans import CountPlan
from ..text.alignment import Token
from .explanation_scores import BleuExplanation, GleuExplanation, RougeExplanation
from .explanation_tokens import FoundTokens, name_text

# How many different pieces of a text a note shows.
_SHOWN: Final = 5


def list_notes(
    bleu: BleuExplanation | GleuExplanation | None,
    rouge: Mapping[str, RougeExplanation],
    texts: Mapping[str, Sequence[FoundTokens]],
    plan: CountPlan,
) -> list[str]:
    """List the notes.

    Args:
        bleu: the explained BLEU; None if it is not scored.
        rouge: the explained ROUGE types.
        texts: by ``bleu`` and ``rouge``, what each compares of the prediction and of each
            reference; none for what is not scored.
        plan: what is counted.
    """
    notes: list[str] = []
    if isinstance(bleu, BleuExplanation) and not bleu.score:
        notes.append(f"BLEU is 0: {_explain_bleu(bleu)}.")
    if isinstance(bleu, GleuExplanation) and not bleu.score:
        notes.append("Google BLEU is 0: no n-gram of the prediction occurs in a reference.")
    reasons: dict[str, list[str]] = {}
    for name, scores in rouge.items():
        if not scores.fmeasure:
            reasons.setdefault(_explain_rouge(name, scores), []).append(name)
    notes += [
        f"{_join(names)} {'is' if len(names) == 1 else 'are'} 0: {reason}."
        for reason, names in reasons.items()
    ]
    choices = {FAMILIES[name].group: part.choice for name, part in plan.parts.items()}
    for family, found in texts.items():
        choice = choices.get(family)
        name = f"{choice!r} tokenizer" if isinstance(choice, str) else f"{family}_tokenizer"
        for index, text in enumerate(found):
            place = name_text(index) if index else "the prediction"
            notes += _list_losses(text, place, name, family.upper())
    return list(dict.fromkeys(notes))


def _explain_bleu(bleu: BleuExplanation) -> str:
    """Say why BLEU is 0."""
    if not bleu.prediction_length:
        return "the prediction has no token"
    if not any(bleu.reference_lengths):
        return "no reference has a token"
    missing = find_missing(bleu.orders)
    if missing is not None:
        return describe_missing(missing.order, missing.total)
    if not bleu.reference_length:
        return "a reference has no token"
    if not bleu.brevity_penalty:
        return "the prediction is so short that the brevity penalty is 0"
    return "the smoothing is not defined for these counts"


def _explain_rouge(name: str, scores: RougeExplanation) -> str:
    """Say why a ROUGE type is 0."""
    item = parse_rouge_type(name)
    if any(pair.hits for pair in scores.references):
        return "the five digits of the score are 0"
    total = int(max(pair.prediction_total for pair in scores.references))
    if item.kind == "n":
        return describe_missing(item.order, total)
    if item.kind == "s":
        what = "skip-bigram"
    elif item.kind == "su":
        what = "skip-bigram and no token"
    else:
        return describe_missing(1, total)
    if not total:
        return "the prediction has fewer than two tokens"
    return f"no {what} of the prediction occurs in a reference"


def _list_losses(text: FoundTokens, place: str, tokenizer: str, family: str) -> Iterator[str]:
    """Iterate over sentences that say what is not compared of a text."""
    read = {
        index
        for start, end in zip(text.kept.starts, text.kept.ends, strict=True)
        for index in range(start, end)
    }
    tokens = [*text.tokens, *text.stopped]
    covered = {index for token in tokens for index in range(token.start, token.end)}
    left = [index for index, sign in enumerate(text.text) if not sign.isspace()]
    dropped = [index for index in left if index in read and index not in covered]
    if dropped:
        yield (
            f"The {tokenizer} drops {_count(len(dropped), 'character')} of {place}: "
            f"{_show(_list_pieces(text.text, dropped))}."
        )
    cut = [index for index in left if index not in read]
    if cut:
        yield f"The limit cuts {_count(len(cut), 'character')} of {place}."
    if text.stopped:
        yield (
            f"{_count(len(text.stopped), 'stop word')} of {place} {_be(text.stopped)} left out: "
            f"{_show([token.text for token in text.stopped])}."
        )
    lost = [token.form for token in text.tokens if not token.text]
    if lost:
        yield (
            f"{_count(len(lost), 'token')} of {place} for {family} {_be(lost)} no piece of the "
            f"text: {_show(lost)}."
        )


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


def _join(names: Sequence[str]) -> str:
    """Write names as a sentence has them.

    >>> _join(["BLEU", "rouge2", "rougeL"])
    'BLEU, rouge2 and rougeL'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
