"""BLEU of sacrebleu 2.6 under its names, with this package's counts.

A program changes one line: ``from bleu_rouge_metric.integrations import sacrebleu``, or ``from
bleu_rouge_metric.integrations.sacrebleu.metrics import BLEU``. Names, the order of arguments,
numbers and signatures are the same; errors and warnings are those of this package.

Not done here: chrF and TER, the command, downloads of test sets, and the private methods of
``BLEU``, which ``sacrebleu.significance.PairedTest`` needs: use ``compare_systems``.
"""

from collections.abc import Sequence
from typing import Any, Final

from . import metrics
from .metrics import BLEU, SACREBLEU_VERSION, BLEUScore

__all__ = ["BLEU", "corpus_bleu", "metrics", "raw_corpus_bleu", "sentence_bleu"]

__version__: Final = SACREBLEU_VERSION


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Compute BLEU of a corpus; the arguments are those of :class:`~.metrics.BLEU`.

    >>> print(corpus_bleu(["the cat sat here"], [["the cat sat there"], ["a cat was here"]]))
    BLEU = 63.89 100.0/66.7/50.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)
    """
    made = lowercase, force, tokenize, smooth_method, smooth_value
    return BLEU(*made, effective_order=use_effective_order).corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = None,
) -> BLEUScore:
    """Compute BLEU of texts that are tokenized, with smoothing ``floor`` and effective order."""
    options: dict[str, Any] = {"tokenize": "none", "use_effective_order": True}
    return corpus_bleu(hypotheses, references, "floor", smooth_value, **options)


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str | None = None,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Compute BLEU of one sample; the arguments are those of :class:`~.metrics.BLEU`.

    >>> sentence_bleu("a cat", ["a cat", "the cat"]).precisions
    [100.0, 100.0, 0.0, 0.0]
    """
    made = lowercase, False, tokenize, smooth_method, smooth_value
    return BLEU(*made, effective_order=use_effective_order).sentence_score(hypothesis, references)
