"""The tokens that ROUGE compares, each with its place in the text as it was given."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...counting.byte_limit import cut_sentences
from ...counting.rouge_types import parse_rouge_type
from ...matching.texts import FoundTokens, name_text
from ...text.alignment import Token, align_sentences, align_tokens, align_truncation
from ...text.mapped_text import MappedText
from ...text.sentences import SplitError
from ...text.tokenizer import Tokenizer

if TYPE_CHECKING:
    from .counts import TypeScore

# The LCS of so many pairs of sentences, of one of the prediction with one of a reference, takes
# seconds.
MOST_SENTENCE_PAIRS: Final = 200_000


def find_rouge_tokens(text: str, plan: "TypeScore") -> FoundTokens:
    """Return the tokens of a text, and those of its sentences if a type compares these."""
    mapped = MappedText.of(text)
    whole = plan.bare_tokenizer, plan.tokenizer
    kept, tokens, forms, stopped = _tokenize(text, mapped, plan, *whole)
    sentences = _split(mapped, kept, plan) if _compares_sentences(plan) else []
    single = [each.of_sentences or each for each in whole]
    tokenized = [_tokenize(text, sentence, plan, *single)[1] for sentence in sentences]
    return FoundTokens(text, tokens, forms, stopped, kept, tokenized)


def _tokenize(
    text: str,
    mapped: MappedText,
    plan: "TypeScore",
    bare_tokenizer: Tokenizer,
    tokenizer: Tokenizer,
) -> tuple[MappedText, list[Token], list[str], list[Token]]:
    """Return what a limit leaves, its tokens, these as they are compared, and its stop words."""
    truncate, stop_words = plan.truncate, plan.stop_words
    kept = mapped if truncate is None else align_truncation(mapped, truncate)
    tokens = align_tokens(text, kept, bare_tokenizer)
    if tokenizer is bare_tokenizer:
        # Fast path: equals the lines below without a limit, stop words and a stemmer.
        return kept, tokens, [token.form for token in tokens], []
    left = [token for token in tokens if token.form not in stop_words]
    forms = tokenizer(mapped.text)
    found = [replace(token, form=form) for token, form in zip(left, forms, strict=True)]
    return kept, found, list(forms), [token for token in tokens if token.form in stop_words]


def _split(mapped: MappedText, kept: MappedText, plan: "TypeScore") -> list[MappedText]:
    """Return the sentences of a text."""
    split, limit = plan.bare_split, plan.byte_limit
    if limit is None:
        return align_sentences(kept, split(kept.text))
    # Parity: ROUGE-1.5.5 cuts each sentence of the whole text (counting/byte_limit.py).
    sentences = split(mapped.text)
    whole = align_sentences(mapped, sentences)
    cut = cut_sentences(sentences, limit)
    return [sentence.slice(0, len(part)) for sentence, part in zip(whole, cut, strict=False)]


def check_sentences(texts: Sequence[str], plan: "TypeScore") -> None:
    """Raise ValueError if texts have too many sentences to be explained.

    Args:
        texts: the prediction, and its references behind it.
        plan: what is counted.
    """
    if not _compares_sentences(plan):
        return
    ours, *others = (
        _count_sentences(text, name_text(index), plan) for index, text in enumerate(texts)
    )
    for index, theirs in enumerate(others, 1):
        if ours * theirs > MOST_SENTENCE_PAIRS:
            raise ValueError(
                f"The prediction has {ours:,} sentences and {name_text(index)} {theirs:,}; "
                f"explain compares at most {MOST_SENTENCE_PAIRS:,} pairs of them. Leave out "
                "'rougeLsum' and 'rougeW', or explain a part of the text."
            )


def _count_sentences(text: str, name: str, plan: "TypeScore") -> int:
    try:
        return len(plan.split_sentences(text))
    except SplitError as error:
        raise ValueError(f"{name}: {error}") from error


def _compares_sentences(plan: "TypeScore") -> bool:
    """Return whether a type compares the texts sentence by sentence."""
    kinds = {parse_rouge_type(name).kind for name in plan.counted}
    return "lsum" in kinds or ("w" in kinds and not plan.lin2004)
