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
* ``my-syllables``, ``zh-jieba``, ``ja-unidic-lite``, ``th-pythainlp``: the same words of a text as
  the four before (Japanese with another dictionary), and those words of its lines, too;
* ``korouge``, ``google-adk``: korouge-score 0.1.4 (Korean), google-adk 2.13.0 (``recipes.py``);
* ``ja-fugashi``: the words of fugashi, as Japanese is scored with ``rouge_score``
  (``segmenters.py``);
* ``unicode``, ``grapheme``: words and characters of any language (``unicode.py``);
* ``ja-mecab``, ``ko-mecab``, ``spm``, ``flores101``, ``flores200``: the tokenizers of the installed
  sacrebleu (``external.py``).

Any callable ``str -> list[str]`` can be given instead of a name (``tokenizer_choice.py``). Not done
here: sentence splitting (``sentences.py``).
"""

from dataclasses import replace
from functools import partial
from typing import Final

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
from .external import SacrebleuTokenizer
from .mteval import compile_international, tokenize_intl, tokenize_zh
from .ptb.tokenizer import tokenize_ptb
from .recipes import google_adk_stems, tokenize_google_adk, tokenize_korouge
from .segmenters import (
    segment_fugashi,
    segment_jieba,
    segment_pythainlp,
)
from .stemmers import perl_porter_stems, porter_stems
from .tokenizer import Tokenize, Tokenizer, add_steps
from .treebank import compile_treebank, tokenize_nltk
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

_FLORES101: Final = SacrebleuTokenizer("sacrebleu.tokenizers.tokenizer_spm", "Flores101Tokenizer")
_FLORES200: Final = SacrebleuTokenizer("sacrebleu.tokenizers.tokenizer_spm", "Flores200Tokenizer")
_SPM: Final = "sacrebleu sentencepiece"


_XLSUM_SENTENCES: Final = Tokenizer(
    "xlsum",
    normalize_xlsum,
    "xlsum_line",
    keeps_lines=True,
    leaves_unsplit=True,
    tables=("unicode",),
)


def _make_xlsum(name: str, segment: Tokenize, needs: str = "") -> Tokenizer:
    """Return the row of a language that XL-Sum's ROUGE segments."""
    return Tokenizer(
        name,
        make_segmented(segment),
        needs=needs,
        language_stems=xlsum_stems,
        # Parity: XL-Sum segments whole texts only, so that rougeLsum compares unsegmented lines.
        of_sentences=_XLSUM_SENTENCES if name.startswith("xlsum-") else None,
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
    _make_xlsum("xlsum-burmese", segment_burmese),
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
    _make_xlsum("my-syllables", segment_burmese),
    _make_xlsum("zh-jieba", segment_jieba, "jieba"),
    _make_xlsum(
        "ja-unidic-lite",
        partial(segment_japanese, dictionary="unidic_lite"),
        "fugashi unidic-lite",
    ),
    _make_xlsum("th-pythainlp", segment_pythainlp, "pythainlp"),
    _make_xlsum("xlsum-chinese", segment_jieba, "jieba"),
    _make_xlsum("xlsum-japanese", segment_japanese, "fugashi unidic && python -m unidic download"),
    Tokenizer("ja-fugashi", segment_fugashi, needs="fugashi unidic-lite"),
    _make_xlsum("xlsum-thai", segment_pythainlp, "pythainlp"),
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
