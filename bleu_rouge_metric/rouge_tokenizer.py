"""From a text to the tokens that ROUGE counts: limits of length, tokenizer, stop words, stemmer.

In this order, as in ROUGE-1.5.5, for whatever tokenizer is chosen.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from .stemmers import (
    LONGEST_UNSTEMMED,
    StemMemory,
    perl_porter_stems,
    porter_stems,
    snowball_stems,
)
from .text_limits import make_truncation
from .tokenization import Tokenizer, resolve_tokenizer, tokenize_rouge, tokenize_rouge155


def make_rouge_tokenizer(
    choice: str | Tokenizer,
    *,
    use_stemmer: bool | str = False,
    segmenter: Tokenizer | None = None,
    stemmer_exceptions: Mapping[str, str] | None = None,
    stop_words: AbstractSet[str] = frozenset(),
    word_limit: int | None = None,
    byte_limit: int | None = None,
) -> Tokenizer:
    """The tokenizer with all that goes before and after it.

    Args:
        choice: name or callable.
        use_stemmer: True for Porter in the tokenizers ``rouge`` and ``rouge-1.5.5``; or a language.
        segmenter: of the tokenizer ``unicode``.
        stemmer_exceptions: base forms that go before the stemmer.
        stop_words: tokens that are dropped before the stemmer.
        word_limit: words of the text that count.
        byte_limit: bytes of the text, as UTF-8 and without its newlines, that count.

    Returns:
        One of the named functions, which the compiled kernel knows, wherever that is enough.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a name is unknown, or what it needs is not installed.

    >>> tokenize = make_rouge_tokenizer("rouge", use_stemmer=True, stop_words={"the"}, word_limit=4)
    >>> tokenize("The cats were running. The end.")
    ['cat', 'were', 'run']
    """
    tokenize = resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)
    truncate = make_truncation(word_limit, byte_limit)
    if tokenize is not tokenize_rouge155 and not (truncate or stop_words or stemmer_exceptions):
        return resolve_tokenizer(
            "rouge_tokenizer", choice, stemmer=use_stemmer, segmenter=segmenter
        )
    stems = _find_stems(tokenize, stemmer_exceptions or {}, use_stemmer=use_stemmer)

    def tokenize_all(text: str) -> list[str]:
        if truncate is not None:
            text = truncate(text)
        tokens = tokenize(text)
        if stop_words:
            tokens = [token for token in tokens if token not in stop_words]
        return tokens if stems is None else list(map(stems.__getitem__, tokens))

    is_plain = truncate is None and not stop_words and stems is None
    return tokenize if is_plain else tokenize_all


def _find_stems(
    tokenize: Tokenizer,
    exceptions: Mapping[str, str],
    *,
    use_stemmer: bool | str,
) -> StemMemory | None:
    """Stems of the tokens, or None where they are not stemmed."""
    if isinstance(use_stemmer, str):
        stems = snowball_stems(use_stemmer)
    elif use_stemmer and tokenize is tokenize_rouge155:
        stems = perl_porter_stems()
    elif use_stemmer and tokenize is tokenize_rouge:
        stems = porter_stems()
    else:
        return None
    if not exceptions:
        return stems
    # Parity: ROUGE-1.5.5 leaves words of at most three characters alone, "ran" and "is" too. A
    # base form is not stemmed.
    return StemMemory(
        lambda word: (
            exceptions[word]
            if len(word) > LONGEST_UNSTEMMED and word in exceptions
            else stems[word]
        )
    )
