"""Tokenizers: what one is, the registry of their names, and the steps around them.

The named tokenizers, and what each equals:

* ``rouge``: ``rouge_score`` 0.1.2 (lower case, ASCII letters and digits only);
* ``rouge-1.5.5``: ROUGE-1.5.5.pl (the same except for two characters);
* ``13a``: the tokenizer of evaluate's ``bleu`` and sacrebleu, which follows ``mteval-v13a.pl``;
* ``whitespace``: ``str.split``; ``none`` is its name in sacrebleu;
* ``space``: ``str.split(" ")``, which pycocoevalcap's ROUGE-L uses; it has empty tokens;
* ``char``: every character that is not white space, as in sacrebleu;
* ``intl``, ``zh``: sacrebleu 2.6;
* ``nltk``: ``word_tokenize`` of NLTK 3.10 for one sentence;
* ``mteval-v11a``: CodeXGLUE's smoothed BLEU;
* ``ptb``: the tokenizer of pycocoevalcap 1.2, for captions;
* ``xlsum``, ``xlsum-burmese``, ``xlsum-chinese``, ``xlsum-japanese``, ``xlsum-thai``: the ROUGE of
  XL-Sum, multilingual-rouge 0.0.1;
* ``my-syllables``, ``zh-jieba``, ``ja-unidic-lite``, ``th-pythainlp``: the same words of a text as
  the four before (Japanese with another dictionary), and those words of its lines, too;
* ``korouge``, ``google-adk``: korouge-score 0.1.4 (Korean), google-adk 2.13.0;
* ``ja-fugashi``: the words of fugashi, as Japanese is scored with ``rouge_score``;
* ``unicode``, ``grapheme``: words and characters of any language;
* ``ja-mecab``, ``ko-mecab``, ``spm``, ``flores101``, ``flores200``: the tokenizers of the installed
  sacrebleu.

Any callable ``str -> list[str]`` can be given instead of a name.
"""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, Final, Protocol

from ..checks import describe_unknown, find_closest
from ..extras import needs
from ..messages import OR_CALLABLE, Argument, describe_value, format_message, value_error
from ..samples.token_ids import IDS
from . import external, rules, unicode, xlsum
from .align import AnyText, fold_text
from .external import check_callable, name_function
from .ptb import find_ptb_tokens, tokenize_ptb
from .stemmers import (
    LONGEST_UNSTEMMED,
    StemCache,
    google_adk_stems,
    perl_porter_stems,
    porter_stems,
    snowball_stems,
)
from .steps import Truncation, WordForms, make_truncation

Tokenize = Callable[[str], list[str]]


class Rewrite(Protocol):
    """A function of a text, or of one with the places of its characters."""

    def __call__(self, text: AnyText, /) -> AnyText:
        """Return the rewritten text."""


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
        language_stems: the stems of a language.
        of_sentences: the tokenizer of single sentences, if it is another one.
        tables: what its characters depend on, keys of ``VERSIONS``.
        rewrite: what it does to a text first, so that tokens are slices of the result, but for
            spaces around marks; None if nothing.
        place: from a text to its tokens, each with its start and end, in place of ``rewrite``.
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
    language_stems: Callable[[str], StemCache] = snowball_stems
    of_sentences: "Tokenizer | None" = None
    tables: tuple[str, ...] = ()
    rewrite: Rewrite | None = None
    place: Callable[[str], list[tuple[str, int, int]]] | None = None
    lowercase: bool = False
    truncation: Truncation | None = None
    forms: WordForms | None = None

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self.function(text)


def add_steps(
    tokenizer: Tokenizer, truncation: Truncation | None, forms: WordForms | None
) -> Tokenizer:
    """Return a tokenizer with a step before and a step after it, also for its sentences."""
    if truncation is None and forms is None:
        return tokenizer
    sentences = tokenizer.of_sentences
    return Tokenizer(
        tokenizer.name,
        partial(_tokenize_in_steps, tokenizer.function, truncation, forms),
        tokenizer.kernel_name,
        keeps_lines=tokenizer.keeps_lines and truncation is None,
        of_sentences=None if sentences is None else add_steps(sentences, truncation, forms),
        tables=tokenizer.tables,
        truncation=truncation,
        forms=forms,
    )


def _tokenize_in_steps(
    tokenize: Tokenize, truncation: Truncation | None, forms: WordForms | None, text: str
) -> list[str]:
    """Return the tokens of a text, with a step before and a step after."""
    tokens = tokenize(text if truncation is None else truncation(text))
    return tokens if forms is None else forms.apply(tokens)


# Bound: some tokenizers. Equal options make equal plans if they have the same object.
@lru_cache(maxsize=64)
def lower_texts(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer of texts that are first converted to lower case."""
    return replace(tokenizer, function=partial(_lower, tokenizer.function), lowercase=True)


def _lower(tokenize: Tokenize, text: str) -> list[str]:
    """Return the tokens of the text in lower case."""
    return tokenize(text.lower())


def _add_stems(tokenizer: Tokenizer, stems: Callable[[], StemCache]) -> Tokenizer:
    """Return a row with the stems of its program."""
    return replace(tokenizer, stems=stems, stemmed=add_steps(tokenizer, None, WordForms(stems())))


def _make_xlsum(name: str, segment: Tokenize, needs: str = "") -> Tokenizer:
    """Return the row of a language that XL-Sum's ROUGE segments."""
    return replace(
        _XLSUM,
        name=name,
        function=xlsum.make_segmented(segment),
        kernel_name=None,
        needs=needs,
        # Parity: XL-Sum segments whole texts only, so that rougeLsum compares unsegmented lines.
        of_sentences=_XLSUM.of_sentences if name.startswith("xlsum-") else None,
    )


_XLSUM: Final = Tokenizer(
    "xlsum",
    xlsum.tokenize_xlsum,
    "xlsum",
    language_stems=xlsum.xlsum_stems,
    of_sentences=Tokenizer(
        "xlsum",
        xlsum.normalize_xlsum,
        "xlsum_line",
        keeps_lines=True,
        leaves_unsplit=True,
        tables=("unicode",),
        rewrite=xlsum.clean_xlsum,
    ),
    tables=("unicode",),
    rewrite=xlsum.rewrite_xlsum,
)
_ROUGE: Final = _add_stems(
    Tokenizer(
        "rouge",
        rules.tokenize_rouge,
        "rouge",
        keeps_lines=True,
        keeps_ascii=True,
        rewrite=rules.lower_text,
    ),
    porter_stems,
)
_WHITESPACE: Final = Tokenizer(
    "whitespace", rules.tokenize_whitespace, "whitespace", keeps_lines=True, leaves_unsplit=True
)
_FLORES: Final = {
    name: external.SacrebleuTokenizer("tokenizer_spm", f"{name.title()}Tokenizer")
    for name in ("flores101", "flores200")
}
_SPM: Final = "sacrebleu sentencepiece"

# One row per tokenizer. The error for an unknown name lists them in this order. 13a does not keep
# lines because it joins "-\n". zh, intl and nltk do not, because they treat the first and last
# character of a text differently from a character beside a newline; ptb does not, because a
# telephone number may go over two lines; korouge does not, because white space at the end of a line
# makes an empty token.
_ROWS: Final = (
    Tokenizer("13a", rules.tokenize_13a, "13a", leaves_unsplit=True, rewrite=rules.rewrite_13a),
    # The kernel has these stems itself.
    replace(
        _ROUGE,
        stemmed=_ROUGE.stemmed and replace(_ROUGE.stemmed, kernel_name="rouge_stemmed", forms=None),
    ),
    _add_stems(
        Tokenizer(
            "rouge-1.5.5",
            rules.tokenize_rouge155,
            "rouge-1.5.5",
            keeps_lines=True,
            keeps_ascii=True,
            rewrite=rules.lower_ascii,
        ),
        perl_porter_stems,
    ),
    _WHITESPACE,
    Tokenizer("char", rules.tokenize_char, "char", keeps_lines=True),
    replace(_WHITESPACE, name="none"),
    Tokenizer("space", rules.tokenize_space, leaves_unsplit=True),
    Tokenizer(
        "intl",
        rules.tokenize_intl,
        "intl",
        load=rules.compile_international,
        leaves_unsplit=True,
        tables=("regex",),
    ),
    Tokenizer("zh", rules.tokenize_zh, "zh", leaves_unsplit=True),
    Tokenizer(
        "nltk",
        rules.tokenize_nltk,
        load=rules.compile_treebank,
        leaves_unsplit=True,
        place=rules.place_nltk,
    ),
    Tokenizer(
        "mteval-v11a",
        rules.tokenize_mteval_v11a,
        keeps_lines=True,
        leaves_unsplit=True,
        rewrite=rules.lower_text,
    ),
    Tokenizer("ptb", tokenize_ptb, leaves_unsplit=True, place=find_ptb_tokens),
    Tokenizer(
        "unicode",
        unicode.tokenize_unicode,
        "unicode",
        load=unicode.compile_patterns,
        keeps_lines=True,
        segmented=unicode.make_unicode_tokenizer,
        tables=("unicode", "regex"),
        rewrite=fold_text,
    ),
    Tokenizer(
        "grapheme",
        unicode.tokenize_grapheme,
        "grapheme",
        load=unicode.compile_patterns,
        keeps_lines=True,
        tables=("regex",),
    ),
    _add_stems(_XLSUM, porter_stems),
    _make_xlsum("xlsum-burmese", xlsum.segment_burmese),
    _add_stems(
        Tokenizer("korouge", rules.tokenize_korouge, leaves_unsplit=True, rewrite=rules.lower_text),
        porter_stems,
    ),
    _add_stems(
        Tokenizer(
            "google-adk",
            rules.tokenize_google_adk,
            keeps_lines=True,
            rewrite=rules.rewrite_google_adk,
        ),
        google_adk_stems,
    ),
    # The function depends on the separator: make_id_tokenizer.
    Tokenizer(IDS, list),
    *(
        Tokenizer(
            f"{language}-mecab",
            external.SacrebleuTokenizer(
                f"tokenizer_{language}_mecab", f"Tokenizer{language.title()}Mecab"
            ),
            needs=f'"sacrebleu[{language}]"',
        )
        for language in ("ja", "ko")
    ),
    # Parity: sacrebleu's "spm" is "flores101" under an older name.
    Tokenizer("spm", _FLORES["flores101"], needs=_SPM),
    *(Tokenizer(name, function, needs=_SPM) for name, function in _FLORES.items()),
    _make_xlsum("my-syllables", xlsum.segment_burmese),
    _make_xlsum("zh-jieba", external.segment_jieba, "jieba"),
    _make_xlsum(
        "ja-unidic-lite",
        partial(xlsum.segment_japanese, dictionary="unidic_lite"),
        "fugashi unidic-lite",
    ),
    _make_xlsum("th-pythainlp", external.segment_pythainlp, "pythainlp"),
    _make_xlsum("xlsum-chinese", external.segment_jieba, "jieba"),
    _make_xlsum(
        "xlsum-japanese", xlsum.segment_japanese, "fugashi unidic && python -m unidic download"
    ),
    Tokenizer("ja-fugashi", external.segment_fugashi, needs="fugashi unidic-lite"),
    _make_xlsum("xlsum-thai", external.segment_pythainlp, "pythainlp"),
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


def make_id_tokenizer(separator: int | None) -> Tokenizer:
    """Make the tokenizer of token ids: the tokens are the ids without the separator.

    >>> make_id_tokenizer(2)((7, 8, 2, 9))
    [7, 8, 9]
    """

    def tokenize(ids: Any) -> list[Any]:
        return [number for number in ids if number != separator]

    return Tokenizer(IDS, tokenize, separator=separator)


def resolve_tokenizer(
    option: str, choice: str | Tokenize, *, segmenter: str | Tokenize | None = None
) -> Tokenizer:
    """Return the tokenizer for a name or callable.

    Args:
        option: name of the option, for errors.
        choice: a name of ``TOKENIZERS``, or a callable from a text to its list of tokens.
        segmenter: for ``unicode``: a name of ``SEGMENTERS``, or a callable from a run of text
            without spaces to its words.
    """
    tokenizer = find_tokenizer(choice)
    if segmenter is not None:
        segment = external.resolve_segmenter(segmenter)
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
            external.check_installed(option, tokenizer.name, tokenizer.needs, tokenizer.function)
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

    ``True`` is Porter, which has no effect on most tokenizers; a language is one of NLTK's Snowball
    stemmers, for any tokenizer.
    """
    if isinstance(stemmer, str):
        return add_steps(tokenizer, None, WordForms(tokenizer.language_stems(stemmer)))
    return tokenizer.stemmed if stemmer and tokenizer.stemmed is not None else tokenizer


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
    """Make the tokenizer of ROUGE: length limit, tokenizer, stop words and stemmer, in this order.

    >>> tokenize = make_rouge_tokenizer("rouge", use_stemmer=True, stop_words={"the"}, word_limit=4)
    >>> tokenize("The cats were running. The end.")
    ['cat', 'were', 'run']
    """
    tokenizer = resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)
    truncation = make_truncation(word_limit, byte_limit)
    exceptions = stemmer_exceptions or {}
    if not (truncation or stop_words or exceptions):
        return add_stemmer(tokenizer, use_stemmer)
    stems: StemCache | None = None
    if isinstance(use_stemmer, str):
        stems = tokenizer.language_stems(use_stemmer)
    elif use_stemmer and tokenizer.stems is not None:
        stems = tokenizer.stems()
    if stems is not None and exceptions:
        plain = stems
        # Parity: ROUGE-1.5.5 changes no word of at most three characters, even if it has an
        # exception ("ran", "is"). A base form is not stemmed.
        stems = StemCache(
            lambda word: (
                exceptions[word]
                if len(word) > LONGEST_UNSTEMMED and word in exceptions
                else plain[word]
            )
        )
    forms = WordForms(stems, frozenset(stop_words)) if stems is not None or stop_words else None
    return add_steps(tokenizer, truncation, forms)
