"""BLEU of sacrebleu 2.6 under its names, with this package's counts.

A program changes the first part of its import lines: ``from bleu_rouge_metric.integrations import
sacrebleu``, or ``from bleu_rouge_metric.integrations.sacrebleu.metrics import BLEU``. Names, the
order of arguments, numbers and signatures are the same; errors are those of this package.

chrF, TER and the tokenizers that need a model or a dictionary come from the installed sacrebleu.

Not done here: the command, downloads of test sets, log records, and the private methods of
``BLEU``, which ``sacrebleu.significance.PairedTest`` needs: use ``compare_systems``.
"""

from typing import Final

from ...options.sacrebleu_signature import SACREBLEU_VERSION
from ..originals import add_drop_in
from . import compat, metrics, tokenizers
from .compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
from .metrics import BLEU

__all__ = [
    "BLEU",
    "__version__",
    "compat",
    "corpus_bleu",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
    "tokenizers",
]

__version__: Final = SACREBLEU_VERSION

__getattr__ = add_drop_in(
    __name__,
    "BLEU and its tokenizers",
    (
        *("CHRF", "CHRFScore", "TER", "TERScore", "chrf", "ter", "helpers", "lib_ter"),
        *("corpus_chrf", "corpus_ter", "sentence_chrf", "sentence_ter"),
        *("extract_char_ngrams", "extract_word_ngrams", "tokenizer_ja_mecab"),
        *("tokenizer_ko_mecab", "tokenizer_spm", "tokenizer_ter"),
    ),
)
