"""BLEU and ROUGE, bit-identical to the reference libraries.

``load`` returns the ``evaluate`` metric. Without ``evaluate``, ``bleu_score`` computes corpus BLEU
and ``rouge_scores`` computes ROUGE of each sample. A ``Scorer`` counts batches, and merges the
counts of other processes; ``compute_metrics`` returns a hook for a training loop. ``PairScorer``
scores one pair at a time, and ``explain`` shows how its scores are computed. ``score_table``
appends the scores of its rows to a table. ``THINKING`` is a pattern for ``strip=`` of the hook and
of ``score_table``.

``score_matrix`` scores each of some texts with each of others. ``near_duplicates`` and
``DuplicateIndex`` keep texts that differ from all before them; ``self_bleu`` and ``agreement``
measure how similar texts are; ``select_consensus`` and ``select_best`` choose among candidates.

``compare_systems`` tests whether systems differ, or ranks them; ``influence`` finds the samples
that change a score most. ``compare_profiles`` scores texts under several profiles and explains the
differences. ``brevity_penalty`` is the factor of BLEU for two lengths. ``Options`` checks options,
and parses them from the signature of a score. ``use_kernel`` chooses what counts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .version import __version__

if TYPE_CHECKING:
    from .analysis.compare import compare_systems
    from .analysis.explain import Explanation, explain
    from .analysis.influence import Influence, influence
    from .analysis.pairs.candidates import BestCandidates, Consensus, select_best, select_consensus
    from .analysis.pairs.diversity import agreement, self_bleu
    from .analysis.pairs.duplicates import (
        DuplicateIndex,
        NearDuplicates,
        Neighbors,
        near_duplicates,
    )
    from .analysis.pairs.pool import score_matrix
    from .analysis.profiles import ProfileComparison, ProfileDifference, compare_profiles
    from .analysis.ranking import RankedSystem, SystemPair, SystemRanking
    from .analysis.results import SystemComparison, SystemScore
    from .counting.kernels import use_kernel
    from .families.bleu.formula import brevity_penalty
    from .families.bleu.score import BleuScore, SacrebleuScore
    from .families.parts import RougeScores
    from .integrations.columns import score_table
    from .integrations.load import load
    from .integrations.trainer import ComputeMetrics, compute_metrics
    from .options.options import Options
    from .scoring.functional import bleu_score, rouge_scores
    from .scoring.pair_scorer import PairScorer
    from .scoring.scorer import Scorer
    from .text.strip import THINKING

__all__ = [
    "THINKING",
    "BestCandidates",
    "BleuScore",
    "ComputeMetrics",
    "Consensus",
    "DuplicateIndex",
    "Explanation",
    "Influence",
    "NearDuplicates",
    "Neighbors",
    "Options",
    "PairScorer",
    "ProfileComparison",
    "ProfileDifference",
    "RankedSystem",
    "RougeScores",
    "SacrebleuScore",
    "Scorer",
    "SystemComparison",
    "SystemPair",
    "SystemRanking",
    "SystemScore",
    "__version__",
    "agreement",
    "bleu_score",
    "brevity_penalty",
    "compare_profiles",
    "compare_systems",
    "compute_metrics",
    "explain",
    "influence",
    "load",
    "near_duplicates",
    "rouge_scores",
    "score_matrix",
    "score_table",
    "select_best",
    "select_consensus",
    "self_bleu",
    "use_kernel",
]

# The module of each public name. It is imported when the name is first used, so that the command
# runs its own code before the large imports, and can report an interrupt during them in one line.
_MODULES: Final = {
    "THINKING": "text.strip",
    "BestCandidates": "analysis.pairs.candidates",
    "BleuScore": "families.bleu.score",
    "ComputeMetrics": "integrations.trainer",
    "Consensus": "analysis.pairs.candidates",
    "DuplicateIndex": "analysis.pairs.duplicates",
    "Explanation": "analysis.explain",
    "Influence": "analysis.influence",
    "NearDuplicates": "analysis.pairs.duplicates",
    "Neighbors": "analysis.pairs.duplicates",
    "Options": "options.options",
    "PairScorer": "scoring.pair_scorer",
    "ProfileComparison": "analysis.profiles",
    "ProfileDifference": "analysis.profiles",
    "RankedSystem": "analysis.ranking",
    "RougeScores": "families.parts",
    "SacrebleuScore": "families.bleu.score",
    "Scorer": "scoring.scorer",
    "SystemComparison": "analysis.results",
    "SystemPair": "analysis.ranking",
    "SystemRanking": "analysis.ranking",
    "SystemScore": "analysis.results",
    "agreement": "analysis.pairs.diversity",
    "bleu_score": "scoring.functional",
    "brevity_penalty": "families.bleu.formula",
    "compare_profiles": "analysis.profiles",
    "compare_systems": "analysis.compare",
    "compute_metrics": "integrations.trainer",
    "explain": "analysis.explain",
    "influence": "analysis.influence",
    "load": "integrations.load",
    "near_duplicates": "analysis.pairs.duplicates",
    "rouge_scores": "scoring.functional",
    "score_matrix": "analysis.pairs.pool",
    "score_table": "integrations.columns",
    "select_best": "analysis.pairs.candidates",
    "select_consensus": "analysis.pairs.candidates",
    "self_bleu": "analysis.pairs.diversity",
    "use_kernel": "counting.kernels",
}


def __getattr__(name: str) -> Any:
    """Import a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
