"""BLEU and ROUGE, bit-identical to the reference libraries.

``load`` returns the ``evaluate`` metric. Without ``evaluate``, ``bleu_score`` computes corpus BLEU
and ``rouge_scores`` computes ROUGE of each sample. A ``Scorer`` counts batches, and merges the
counts of other processes; ``compute_metrics`` returns a hook for a training loop. ``PairScorer``
scores one pair at a time, and ``explain`` shows how its scores are computed.

``compare_profiles`` scores texts under several profiles and explains the differences.
``compare_systems`` tests whether systems differ, and ``influence`` finds the samples that change a
score most. ``brevity_penalty`` is the factor of BLEU for two lengths. ``Options`` checks options,
and parses them from the signature of a score.
"""

from .analysis.comparison import Comparison, Difference
from .analysis.explain import explain
from .analysis.explanation import Explanation
from .analysis.influence import Influence, influence
from .analysis.profiles import compare_profiles
from .analysis.significance import compare_systems
from .analysis.system_comparison import SystemComparison, SystemScore
from .bleu.formula import brevity_penalty
from .bleu.score import BleuScore, SacrebleuScore
from .counting.kernels import use_kernel
from .integrations.load import load
from .integrations.trainer import compute_metrics
from .integrations.trainer_hook import ComputeMetrics
from .options.options import Options
from .rouge.formulas import RougeScores
from .scoring.functional import bleu_score, rouge_scores
from .scoring.pair_scorer import PairScorer
from .scoring.scorer import Scorer
from .version import __version__

__all__ = [
    "BleuScore",
    "Comparison",
    "ComputeMetrics",
    "Difference",
    "Explanation",
    "Influence",
    "Options",
    "PairScorer",
    "RougeScores",
    "SacrebleuScore",
    "Score",
    "Scorer",
    "SystemComparison",
    "SystemScore",
    "__version__",
    "bleu_score",
    "brevity_penalty",
    "compare_profiles",
    "compare_systems",
    "compute_metrics",
    "explain",
    "influence",
    "load",
    "rouge_scores",
    "use_kernel",
]

# The name of RougeScores before 0.2, kept for one release.
Score = RougeScores


def __dir__() -> list[str]:
    return __all__
