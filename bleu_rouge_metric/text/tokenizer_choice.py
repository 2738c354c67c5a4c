"""The options that choose a tokenizer, a segmenter and a stemmer become a ``Tokenizer``."""

from ..checks import describe_unknown, find_closest
from ..extras import needs
from ..messages import OR_CALLABLE, Argument, describe_value, format_message, value_error
from .external import check_installed
from .segmenters import resolve_segmenter
from .stemmers import snowball_stems
from .tokenizer import Tokenize, Tokenizer, add_steps
from .tokenizers import TOKENIZERS, find_tokenizer
from .user_functions import check_callable, name_function
from .word_forms import WordForms


def resolve_tokenizer(
    option: str, choice: str | Tokenize, *, segmenter: str | Tokenize | None = None
) -> Tokenizer:
    """Return the tokenizer for a name or callable.

    Args:
        option: name of the option, for errors.
        choice: a name of ``TOKENIZERS``, or a callable from a text to its list of tokens.
        segmenter: for ``unicode``: a name of ``SEGMENTERS``, or a callable from a run of text
            without spaces to its words.

    Returns:
        The row of the registry for a name, or a new row for a callable or a segmenter. A new row
        checks every result of the user's function.

    Raises:
        ImportError: what the tokenizer or the segmenter needs is not installed.
        ValueError: a name is unknown, the model of the tokenizer cannot be loaded, or a segmenter
            is given to a tokenizer that has none.
        TypeError: the choice, or the segmenter, is neither a str nor callable.
    """
    tokenizer = find_tokenizer(choice)
    if segmenter is not None:
        segment = resolve_segmenter(segmenter)
        if tokenizer is None or tokenizer.segmented is None:
            shown = repr(choice) if isinstance(choice, str) else "a callable"
            raise value_error(
                "{segmenter} is given, but {} is {}; only 'unicode' uses a segmenter.",
                *(Argument(option), shown),
                remedy=format_message(
                    "Use {}, or leave the segmenter out.", Argument(option, "=", "unicode")
                ),
            )
        checked = check_callable("segmenter", segment, "words")
        return Tokenizer(tokenizer.name, tokenizer.segmented(checked))
    if tokenizer is not None:
        if tokenizer.load is not None:
            with needs(f"The tokenizer {tokenizer.name!r}", "languages"):
                tokenizer.load()
        if tokenizer.needs:
            check_installed(option, tokenizer.name, tokenizer.needs, tokenizer.function)
        return tokenizer
    if callable(choice):
        return Tokenizer(name_function(choice), check_callable(option, choice, "tokens"))
    if not isinstance(choice, str):
        # The tokenizers of rouge_score and NLTK are objects with such a method.
        has_method = callable(getattr(choice, "tokenize", None))
        remedy = "Give its method tokenize." if has_method else ""
        expected = format_message("expected the name of a tokenizer{}.", OR_CALLABLE)
        shown = f"of type {type(choice).__name__}"
        raise TypeError(describe_value(option, shown, expected, remedy))
    expected = format_message("expected {}{}.", ", ".join(map(repr, TOKENIZERS)), OR_CALLABLE)
    raise ValueError(describe_unknown(option, choice, expected, find_closest(choice, TOKENIZERS)))


def add_stemmer(tokenizer: Tokenizer, stemmer: bool | str) -> Tokenizer:  # noqa: FBT001 - an option
    """Return a tokenizer that stems the tokens of the given one.

    Args:
        tokenizer: from ``resolve_tokenizer``.
        stemmer: False for none; True for Porter, which has no effect on most tokenizers; or a
            language of NLTK's Snowball stemmers, for any tokenizer.

    Raises:
        ValueError: the language is unknown.
    """
    if isinstance(stemmer, str):
        stems = (tokenizer.language_stems or snowball_stems)(stemmer)
        return add_steps(tokenizer, None, WordForms(stems))
    return tokenizer.stemmed if stemmer and tokenizer.stemmed is not None else tokenizer
