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
    from .counting import RougeCounting

# The LCS of so many pairs of sentences, of one of the prediction with one of a reference, takes
# seconds.
MOST_SENTENCE_PAIRS: Final = 200_000


def find_rouge_tokens(text: str, counting: "RougeCounting") -> FoundTokens:
    """Return the tokens of a text, and those of its sentences if a type compares these."""
    mapped = MappedText.of(text)
    whole = counting.bare_tokenizer, counting.tokenizer
    kept, tokens, forms, stopped = _tokenize(text, mapped, counting, *whole)
    sentences = _split(mapped, kept, counting) if _compares_sentences(counting) else []
    single = [each.of_sentences or each for each in whole]
    tokenized = [_tokenize(text, sentence, counting, *single)[1] for sentence in sentences]
    return FoundTokens(text, tokens, forms, stopped, kept, tokenized)


def _tokenize(
    text: str,
    mapped: MappedText,
    counting: "RougeCounting",
    bare_tokenizer: Tokenizer,
    tokenizer: Tokenizer,
) -> tuple[MappedText, list[Token], list[str], list[Token]]:
    """Return what a limit leaves, its tokens, these as they are compared, and its stop words."""
    truncate, stop_words = counting.truncate, counting.stop_words
    kept = mapped if truncate is None else align_truncation(mapped, truncate)
    tokens = align_tokens(text, kept, bare_tokenizer)
    if tokenizer is bare_tokenizer:
        # Fast path: equals the lines below without a limit, stop words and a stemmer.
        return kept, tokens, [token.form for token in tokens], []
    left = [token for token in tokens if token.form not in stop_words]
    forms = tokenizer(mapped.text)
    found = [replace(token, form=form) for token, form in zip(left, forms, strict=True)]
    return kept, found, list(forms), [token for token in tokens if token.form in stop_words]


def _split(mapped: MappedText, kept: MappedText, counting: "RougeCounting") -> list[MappedText]:
    """Return the sentences of a text."""
    split, limit = counting.bare_split, counting.byte_limit
    if limit is None:
        return align_sentences(kept, split(kept.text))
    # Parity: ROUGE-1.5.5 cuts each sentence of the whole text (counting/byte_limit.py).
    sentences = split(mapped.text)
    whole = align_sentences(mapped, sentences)
    cut = cut_sentences(sentences, limit)
    return [sentence.slice(0, len(part)) for sentence, part in zip(whole, cut, strict=False)]


def check_sentences(texts: Sequence[str], counting: "RougeCounting") -> None:
    """Raise ValueError if texts have too many sentences to be explained.

    Args:
        texts: the prediction, and its references behind it.
        counting: what is counted.
    """
    if not _compares_sentences(counting):
        return
    ours, *others = (
        _count_sentences(text, name_text(index), counting) for index, text in enumerate(texts)
    )
    for index, theirs in enumerate(others, 1):
        if ours * theirs > MOST_SENTENCE_PAIRS:
            raise ValueError(
                f"The prediction has {ours:,} sentences and {name_text(index)} {theirs:,}; "
                f"explain compares at most {MOST_SENTENCE_PAIRS:,} pairs of them. Leave out "
                "'rougeLsum' and 'rougeW', or explain a part of the text."
            )


def _count_sentences(text: str, name: str, counting: "RougeCounting") -> int:
    try:
        return len(counting.split_sentences(text))
    except SplitError as error:
        raise ValueError(f"{name}: {error}") from error


def _compares_sentences(counting: "RougeCounting") -> bool:
    """Return whether a type compares the texts sentence by sentence."""
    kinds = {parse_rouge_type(name).kind for name in counting.types}
    return "lsum" in kinds or ("w" in kinds and not counting.lin2004)
