"""BLEU and ROUGE with the very numbers of the reference libraries.

``load`` gives the ``evaluate`` metric. Without ``evaluate``, ``bleu_score`` scores lists of texts
together and ``rouge_scores`` each sample by itself; a ``Scorer`` takes them in batches, shards and
processes, and ``compute_metrics`` makes the hook of a training loop. ``compare_profiles`` scores
texts under several profiles and explains the differences; ``brevity_penalty`` is BLEU's of two
lengths. ``Options`` checks options, and reads them from the signature of a score.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .bleu import BleuScore, SacrebleuScore
from .bleu_formula import brevity_penalty
from .comparison import Comparison, Difference, compare_profiles
from .functions import bleu_score, rouge_scores
from .options import Options
from .rouge_formulas import Score
from .scorer import Scorer
from .signature import __version__
from .trainer_hook import ComputeMetrics
from .training import compute_metrics

if TYPE_CHECKING:
    import evaluate

__all__ = [
    "BleuScore",
    "Comparison",
    "ComputeMetrics",
    "Difference",
    "Options",
    "SacrebleuScore",
    "Score",
    "Scorer",
    "__version__",
    "bleu_score",
    "brevity_penalty",
    "compare_profiles",
    "compute_metrics",
    "load",
    "rouge_scores",
]


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
