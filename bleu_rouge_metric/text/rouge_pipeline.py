"""Turn a text into the tokens that ROUGE counts: length limit, tokenizer, stop words, stemmer.

The steps run in this order, as in ROUGE-1.5.5, with any tokenizer.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from ..messages import Argument, format_message
from .stemmers import LONGEST_UNSTEMMED, StemCache, snowball_stems
from .tokenizer import Tokenize, Tokenizer, add_steps
from .tokenizer_choice import add_stemmer, resolve_tokenizer
from .truncation import make_truncation
from .warnings import warn_caller
from .word_forms import WordForms
from .word_lists import resolve_stop_words


def make_rouge_tokenizer(
    choice: str | Tokenize,
    *,
    use_stemmer: bool | str = False,
    segmenter: str | Tokenize | None = None,
    stemmer_exceptions: Mapping[str, str] | None = None,
    stop_words: AbstractSet[str] = frozenset(),
    word_limit: int | None = None,
    byte_limit: int | None = None,
) -> Tokenizer:
    """Make one tokenizer of the tokenizer and the steps before and after it.

    Args:
        choice: name or callable of the tokenizer.
        use_stemmer: True for Porter in the tokenizers ``rouge`` and ``rouge-1.5.5``; or a language.
        segmenter: for the tokenizer ``unicode``, by name or a callable.
        stemmer_exceptions: base forms by word; they override the stemmer.
        stop_words: tokens that are dropped before stemming.
        word_limit: how many words of the text are kept.
        byte_limit: how many bytes of the text, as UTF-8 and without its newlines, are kept.

    Returns:
        A tokenizer that the compiled kernel has, if it has one that does all the steps.

    Raises:
        TypeError: a value has a wrong type.
        ValueError: a name is unknown, or a library that it needs is not installed.

    >>> tokenize = make_rouge_tokenizer("rouge", use_stemmer=True, stop_words={"the"}, word_limit=4)
    >>> tokenize("The cats were running. The end.")
    ['cat', 'were', 'run']
    """
    tokenizer = resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)
    truncation = make_truncation(word_limit, byte_limit)
    if not (truncation or stop_words or stemmer_exceptions):
        return add_stemmer(tokenizer, use_stemmer)
    stems = _find_stems(tokenizer, stemmer_exceptions or {}, use_stemmer=use_stemmer)
    forms = WordForms(stems, frozenset(stop_words)) if stems is not None or stop_words else None
    return add_steps(tokenizer, truncation, forms)


def warn_of_stop_words(
    stop_words: str | Iterable[str] | None, choice: str | Tokenize, tokenizer: Tokenizer
) -> None:
    """Warn if none of the stop words can be a token, so that they have no effect.

    Args:
        stop_words: as in ``Options``.
        choice: name or callable of the tokenizer.
        tokenizer: the tokenizer itself, which leaves no stop words out.
    """
    words = resolve_stop_words(stop_words)
    if not words or any(tokenizer(word) == [word] for word in words):
        return
    is_name = isinstance(choice, str)
    warn_caller(
        format_message(
            "{stop_words} has no effect: none of the words is a token of the {}.",
            f"{choice!r} tokenizer" if is_name else Argument("rouge_tokenizer"),
            remedy=format_message(
                "Write them as its tokens are, such as in lower case, or use a {rouge_tokenizer} "
                "that finds words."
            ),
        )
    )


def _find_stems(
    tokenizer: Tokenizer,
    exceptions: Mapping[str, str],
    *,
    use_stemmer: bool | str,
) -> StemCache | None:
    """Return the cache of stems, or None if tokens are not stemmed."""
    if isinstance(use_stemmer, str):
        stems = (tokenizer.language_stems or snowball_stems)(use_stemmer)
    elif use_stemmer and tokenizer.stems is not None:
        stems = tokenizer.stems()
    else:
        return None
    if not exceptions:
        return stems
    # Parity: ROUGE-1.5.5 changes no word of at most three characters, even if it has an exception
    # ("ran", "is"). A base form is not stemmed.
    return StemCache(
        lambda word: (
            exceptions[word]
            if len(word) > LONGEST_UNSTEMMED and word in exceptions
            else stems[word]
        )
    )
