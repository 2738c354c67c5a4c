"""The functions of ``sacrebleu.compat``: BLEU in one call."""

from collections.abc import Sequence

from .metrics.bleu import BLEU
from .metrics.scores import BLEUScore


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """Compute BLEU of a corpus; the arguments are those of :class:`~.metrics.bleu.BLEU`.

    >>> print(corpus_bleu(["the cat sat here"], [["the cat sat there"], ["a cat was here"]]))
    BLEU = 63.89 100.0/66.7/50.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)
    """
    metric = BLEU(
        lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order
    )
    return metric.corpus_score(hypotheses, references)


def raw_corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    smooth_value: float | None = BLEU.SMOOTH_DEFAULTS["floor"],
) -> BLEUScore:
    """Compute BLEU of texts that are tokenized, with smoothing ``floor`` and effective order.

    >>> round(raw_corpus_bleu(["a b c d"], [["a b c e"]]).score, 2)
    39.76
    """
    return corpus_bleu(
        hypotheses,
        references,
        "floor",
        smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """Compute BLEU of one sample; the arguments are those of :class:`~.metrics.bleu.BLEU`.

    >>> sentence_bleu("a cat", ["a cat", "the cat"]).precisions
    [100.0, 100.0, 0.0, 0.0]
    """
    metric = BLEU(
        lowercase,
        tokenize=tokenize,
        smooth_method=smooth_method,
        smooth_value=smooth_value,
        effective_order=use_effective_order,
    )
    return metric.sentence_score(hypothesis, references)
