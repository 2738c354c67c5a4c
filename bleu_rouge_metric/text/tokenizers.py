"""The registry of tokenizers: names, functions and properties.

The named tokenizers, and what each equals:

* ``rouge``: ``rouge_score`` 0.1.2 (lower case, ASCII letters and digits only);
* ``rouge-1.5.5``: ROUGE-1.5.5.pl (the same except for two characters);
* ``13a``: the tokenizer of evaluate's ``bleu`` and sacrebleu, which follows ``mteval-v13a.pl``;
* ``whitespace``: ``str.split``; ``none`` is its name in sacrebleu;
* ``space``: ``str.split(" ")``, which pycocoevalcap's ROUGE-L uses; it has empty tokens;
* ``char``: every character that is not white space, as in sacrebleu;
* ``intl``, ``zh``: sacrebleu 2.6 (``mteval.py``);
* ``nltk``: ``word_tokenize`` of NLTK 3.10 for one sentence (``treebank.py``);
* ``mteval-v11a``: CodeXGLUE's smoothed BLEU (``basic.py``);
* ``ptb``: the tokenizer of pycocoevalcap 1.2, for captions (``ptb/``);
* ``xlsum``, ``xlsum-burmese``, ``xlsum-chinese``, ``xlsum-japanese``, ``xlsum-thai``: the ROUGE of
  XL-Sum, multilingual-rouge 0.0.1 (``xlsum.py``);
* ``korouge``, ``google-adk``: korouge-score 0.1.4 (Korean), google-adk 2.13.0 (``recipes.py``);
* ``ja-fugashi``: the words of fugashi, as Japanese is scored with ``rouge_score``
  (``segmenters.py``);
* ``unicode``, ``grapheme``: words and characters of any language (``unicode.py``);
* ``ja-mecab``, ``ko-mecab``, ``spm``, ``flores101``, ``flores200``: the tokenizers of the installed
  sacrebleu (``external.py``).

Any callable ``str -> list[str]`` can be given instead of a name. Not done here: sentence
splitting (``sentences.py``).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ..checks import describe_unknown, find_closest
from ..extras import needs
from ..messages import (
    OR_CALLABLE,
    Argument,
    describe_value,
    format_message,
    type_error,
    value_error,
)
from ..samples.token_ids import IDS
from .basic import (
    tokenize_13a,
    tokenize_char,
    tokenize_mteval_v11a,
    tokenize_rouge,
    tokenize_rouge155,
    tokenize_rouge_stemmed,
    tokenize_space,
    tokenize_whitespace,
)
from .external import SacrebleuTokenizer, check_installed
from .mteval import compile_international, tokenize_intl, tokenize_zh
from .ptb.tokenizer import tokenize_ptb
from .recipes import google_adk_stems, tokenize_google_adk, tokenize_korouge
from .segmenters import (
    resolve_segmenter,
    segment_fugashi,
    segment_jieba,
    segment_pythainlp,
)
from .stemmers import StemCache, perl_porter_stems, porter_stems, snowball_stems
from .treebank import compile_treebank, tokenize_nltk
from .truncation import Truncation
from .unicode import (
    compile_patterns,
    make_unicode_tokenizer,
    tokenize_grapheme,
    tokenize_unicode,
)
from .word_forms import WordForms
from .xlsum import (
    make_segmented,
    normalize_xlsum,
    segment_burmese,
    segment_japanese,
    tokenize_xlsum,
)
from .xlsum_stems import xlsum_stems

Tokenize = Callable[[str], list[str]]


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer and its properties; it can be called like its function.

    Attributes:
        name: name in options and messages; for a user's callable the name of the function.
        function: from a text to its tokens.
        kernel_name: name in the compiled kernel; None if only Python has the tokenizer.
        keeps_lines: whether the tokens of a text are the tokens of its lines, one line after the
            other.
        needs: arguments of the ``pip install`` that it needs; empty if it needs nothing. Its
            function loads these packages with the first text.
        load: imports packages that the extra ``languages`` brings; None if it needs none.
        keeps_ascii: whether it keeps only ASCII letters and digits of a text.
        leaves_unsplit: whether it does not split texts of some scripts without spaces.
        stems: Porter stems of the program that the tokenizer comes from; None if there are none.
        stemmed: the tokenizer with these stems.
        segmented: makes the function for a user's segmenter; None if it cannot use a segmenter.
        separator: for token ids, the id between sentences; None if there is none.
        language_stems: the stems of a language; None for those of NLTK's Snowball stemmers.
        of_sentences: the tokenizer of single sentences, if it is another one.
        tables: what its characters depend on, keys of ``VERSIONS``.
        lowercase: whether a text is converted to lower case before it is tokenized. ``function``
            does so, and the compiled kernel too.
        truncation: what cuts a text before it is tokenized, likewise; None if nothing does.
        forms: what the tokens become, likewise; None if they do not change.
    """

    name: str
    function: Tokenize
    kernel_name: str | None = None
    keeps_lines: bool = False
    needs: str = ""
    load: Callable[[], object] | None = None
    keeps_ascii: bool = False
    leaves_unsplit: bool = False
    stems: Callable[[], StemCache] | None = None
    stemmed: "Tokenizer | None" = None
    segmented: Callable[[Tokenize], Tokenize] | None = None
    separator: int | None = None
    language_stems: Callable[[str], StemCache] | None = None
    of_sentences: "Tokenizer | None" = None
    tables: tuple[str, ...] = ()
    lowercase: bool = False
    truncation: Truncation | None = None
    forms: WordForms | None = None

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self.function(text)


_FLORES101: Final = SacrebleuTokenizer("sacrebleu.tokenizers.tokenizer_spm", "Flores101Tokenizer")
_FLORES200: Final = SacrebleuTokenizer("sacrebleu.tokenizers.tokenizer_spm", "Flores200Tokenizer")
_SPM: Final = "sacrebleu sentencepiece"


def add_steps(
    tokenizer: Tokenizer, truncation: Truncation | None, forms: WordForms | None
) -> Tokenizer:
    """Return a tokenizer with a step before and a step after it, also for its sentences.

    Args:
        tokenizer: a tokenizer without such steps.
        truncation: cuts a text; None to keep all of it.
        forms: what its tokens become; None if they do not change.
    """
    if truncation is None and forms is None:
        return tokenizer
    tokenize, sentences = tokenizer.function, tokenizer.of_sentences

    def tokenize_all(text: str) -> list[str]:
        tokens = tokenize(text if truncation is None else truncation(text))
        return tokens if forms is None else forms.apply(tokens)

    return Tokenizer(
        tokenizer.name,
        tokenize_all,
        tokenizer.kernel_name,
        keeps_lines=tokenizer.keeps_lines and truncation is None,
        of_sentences=None if sentences is None else add_steps(sentences, truncation, forms),
        tables=tokenizer.tables,
        truncation=truncation,
        forms=forms,
    )


_XLSUM_SENTENCES: Final = Tokenizer(
    "xlsum", normalize_xlsum, "xlsum_line", keeps_lines=True, tables=("unicode",)
)


# Bound: some tokenizers. Equal options make equal plans if they have the same object.
@lru_cache(maxsize=64)
def lower_texts(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer of texts that are first converted to lower case."""
    tokenize = tokenizer.function
    return replace(tokenizer, function=lambda text: tokenize(text.lower()), lowercase=True)


def _make_xlsum(language: str, segment: Tokenize, needs: str = "") -> Tokenizer:
    """Return the row of a language that XL-Sum's ROUGE segments."""
    return Tokenizer(
        f"xlsum-{language}",
        make_segmented(segment),
        needs=needs,
        language_stems=xlsum_stems,
        of_sentences=_XLSUM_SENTENCES,
        tables=("unicode",),
    )


_XLSUM: Final = Tokenizer(
    "xlsum",
    tokenize_xlsum,
    "xlsum",
    stems=porter_stems,
    language_stems=xlsum_stems,
    of_sentences=_XLSUM_SENTENCES,
    tables=("unicode",),
)

# It does not keep lines, because white space at the end of a line makes an empty token.
_KOROUGE: Final = Tokenizer("korouge", tokenize_korouge, leaves_unsplit=True, stems=porter_stems)
_GOOGLE_ADK: Final = Tokenizer(
    "google-adk", tokenize_google_adk, keeps_lines=True, stems=google_adk_stems
)

# One row per tokenizer. The error for an unknown name lists them in this order. 13a does not keep
# lines because it joins "-\n". zh, intl and nltk do not, because they treat the first and last
# character of a text differently from a character beside a newline.
_ROWS: Final = (
    Tokenizer("13a", tokenize_13a, "13a", leaves_unsplit=True),
    Tokenizer(
        "rouge",
        tokenize_rouge,
        "rouge",
        keeps_lines=True,
        keeps_ascii=True,
        stems=porter_stems,
        stemmed=Tokenizer("rouge", tokenize_rouge_stemmed, "rouge_stemmed", keeps_lines=True),
    ),
    Tokenizer(
        "rouge-1.5.5",
        tokenize_rouge155,
        "rouge-1.5.5",
        keeps_lines=True,
        keeps_ascii=True,
        stems=perl_porter_stems,
        stemmed=add_steps(
            Tokenizer("rouge-1.5.5", tokenize_rouge155, "rouge-1.5.5", keeps_lines=True),
            None,
            WordForms(perl_porter_stems()),
        ),
    ),
    Tokenizer(
        "whitespace", tokenize_whitespace, "whitespace", keeps_lines=True, leaves_unsplit=True
    ),
    Tokenizer("char", tokenize_char, "char", keeps_lines=True),
    Tokenizer("none", tokenize_whitespace, "whitespace", keeps_lines=True, leaves_unsplit=True),
    Tokenizer("space", tokenize_space, leaves_unsplit=True),
    Tokenizer(
        "intl",
        tokenize_intl,
        "intl",
        load=compile_international,
        leaves_unsplit=True,
        tables=("regex",),
    ),
    Tokenizer("zh", tokenize_zh, "zh", leaves_unsplit=True),
    Tokenizer("nltk", tokenize_nltk, load=compile_treebank, leaves_unsplit=True),
    Tokenizer("mteval-v11a", tokenize_mteval_v11a, keeps_lines=True, leaves_unsplit=True),
    # It does not keep lines, because a telephone number may go over two of them.
    Tokenizer("ptb", tokenize_ptb, leaves_unsplit=True),
    Tokenizer(
        "unicode",
        tokenize_unicode,
        "unicode",
        load=compile_patterns,
        keeps_lines=True,
        segmented=make_unicode_tokenizer,
        tables=("unicode", "regex"),
    ),
    Tokenizer(
        "grapheme",
        tokenize_grapheme,
        "grapheme",
        load=compile_patterns,
        keeps_lines=True,
        tables=("regex",),
    ),
    replace(_XLSUM, stemmed=add_steps(_XLSUM, None, WordForms(porter_stems()))),
    _make_xlsum("burmese", segment_burmese),
    replace(_KOROUGE, stemmed=add_steps(_KOROUGE, None, WordForms(porter_stems()))),
    replace(_GOOGLE_ADK, stemmed=add_steps(_GOOGLE_ADK, None, WordForms(google_adk_stems()))),
    # The function depends on the separator, so id_tokens.py makes it.
    Tokenizer(IDS, list),
    Tokenizer(
        "ja-mecab",
        SacrebleuTokenizer("sacrebleu.tokenizers.tokenizer_ja_mecab", "TokenizerJaMecab"),
        needs='"sacrebleu[ja]"',
    ),
    Tokenizer(
        "ko-mecab",
        SacrebleuTokenizer("sacrebleu.tokenizers.tokenizer_ko_mecab", "TokenizerKoMecab"),
        needs='"sacrebleu[ko]"',
    ),
    # Parity: sacrebleu's "spm" is "flores101" under an older name.
    Tokenizer("spm", _FLORES101, needs=_SPM),
    Tokenizer("flores101", _FLORES101, needs=_SPM),
    Tokenizer("flores200", _FLORES200, needs=_SPM),
    _make_xlsum("chinese", segment_jieba, "jieba"),
    _make_xlsum("japanese", segment_japanese, "fugashi unidic && python -m unidic download"),
    Tokenizer("ja-fugashi", segment_fugashi, needs="fugashi unidic-lite"),
    _make_xlsum("thai", segment_pythainlp, "pythainlp"),
)

TOKENIZERS: Final = {tokenizer.name: tokenizer for tokenizer in _ROWS}

# The names of those of texts.
TEXT_TOKENIZERS: Final = tuple(name for name in TOKENIZERS if name != IDS)


def find_tokenizer(choice: object) -> Tokenizer | None:
    """Return the row of the registry with this name; None for a callable or an unknown name."""
    return TOKENIZERS.get(choice) if isinstance(choice, str) else None


def uses_segmenter(choice: object) -> bool:
    """Whether the tokenizer with this name can use a segmenter; False for a callable."""
    tokenizer = find_tokenizer(choice)
    return tokenizer is not None and tokenizer.segmented is not None


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


def name_function(function: object) -> str:
    """Return the name of a user's function, or of the type of a callable without a name.

    >>> name_function(len)
    'len'
    """
    return str(getattr(function, "__name__", type(function).__name__))


def check_callable(option: str, function: Tokenize, content: str) -> Tokenize:
    """Wrap a user's function to check that each result is a list (or tuple) of str.

    Args:
        option: name of the option that the function was given as, for errors.
        function: a function of one text.
        content: what the list holds ("tokens", "sentences"), for errors.

    Returns:
        A function that raises TypeError if the user's function returns anything else.
    """
    expected = f"expected a list of str ({content})."

    def checked(text: str) -> list[str]:
        result = function(text)
        if not isinstance(result, list | tuple):
            given = Argument(option), type(result).__name__, _shorten(text)
            raise type_error("{} returned {} for the text {}", *given, expected=expected)
        for index, item in enumerate(result):
            if not isinstance(item, str):
                raise type_error(
                    "{} returned a list whose item {} is {} ({}) for the text {}",
                    *(Argument(option), index, _shorten(item), type(item).__name__),
                    _shorten(text),
                    expected=expected,
                )
        return list(result)

    return checked


def _shorten(value: object) -> str:
    """Return the ``repr`` of a value, cut to at most 60 characters."""
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
