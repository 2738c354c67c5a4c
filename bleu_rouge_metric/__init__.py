"""BLEU and ROUGE with the very numbers of the reference libraries.

``bleu_score`` and ``rouge_scores`` score lists of texts; ``load`` gives the ``evaluate`` metric.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .bleu import BleuScore, bleu_score
from .rouge import rouge_scores
from .rouge_formulas import Score

if TYPE_CHECKING:
    import evaluate

__all__ = ["BleuScore", "Score", "__version__", "bleu_score", "load", "rouge_scores"]
__version__ = "0.1.0"


def load(config_name: str | None = None, **options: Any) -> "evaluate.Metric":
    """The metric of this package, as ``evaluate.load`` gives it.

    Args:
        config_name: ``"bleu"`` or ``"rouge"`` for the scores of one family; None for both.
        **options: further arguments of ``evaluate.load``, such as ``seed``, ``num_process`` and
            ``process_id``.

    Returns:
        An ``evaluate.Metric``.

    Raises:
        ValueError: the configuration is unknown.

    >>> metric = load("bleu")
    >>> metric.compute(predictions=["one two"], references=["one two"], max_order=2)["bleu"]
    1.0
    """
    # evaluate takes most of a second to import: only those who ask for the metric pay for it.
    import evaluate

    return evaluate.load(str(Path(__file__).parent), config_name, **options)
