"""The functions of ``sacrebleu.compat`` that are about BLEU."""

from collections.abc import Sequence

from ..originals import find_names
from .metrics import BLEU, BLEUScore

__all__ = ["corpus_bleu", "raw_corpus_bleu", "sentence_bleu"]

__getattr__ = find_names(__name__)


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
    made = "floor", smooth_value, True, False, "none", True
    return corpus_bleu(hypotheses, references, *made)


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
