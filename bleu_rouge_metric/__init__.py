"""BLEU and ROUGE, bit-identical to the reference libraries.

``load`` returns the ``evaluate`` metric. Without ``evaluate``, ``bleu_score`` computes corpus BLEU
and ``rouge_scores`` computes ROUGE of each sample. A ``Scorer`` counts batches, and merges the
counts of other processes; ``compute_metrics`` returns a hook for a training loop. ``PairScorer``
scores one pair at a time, and ``explain`` shows how its scores are computed. ``score_table``
appends the scores of its rows to a table.

``score_matrix`` scores each of some texts with each of others. ``near_duplicates`` and
``DuplicateIndex`` keep texts that differ from all before them; ``self_bleu`` and ``agreement``
measure how similar texts are; ``select_consensus`` and ``select_best`` choose among candidates.

``compare_profiles`` scores texts under several profiles and explains the differences.
``compare_systems`` tests whether systems differ, or ranks them; ``influence`` finds the samples
that change a score most. ``compare_buckets`` compares systems on samples, words or n-grams of a
kind, and ``ngram_differences`` lists the n-grams in which two systems differ. ``required_samples``
says how many samples a comparison needs, and ``meta_evaluate`` measures how far metrics agree with
ratings by people. ``brevity_penalty`` is the factor of BLEU for two lengths. ``Options`` checks
options, and parses them from the signature of a score.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .version import __version__

if TYPE_CHECKING:
    from .analysis.buckets.compare import compare_buckets
    from .analysis.buckets.differences import ngram_differences
    from .analysis.buckets.results import BucketComparison, NgramDifference, NgramDifferences
    from .analysis.explain import Explanation, explain
    from .analysis.influence import Influence, influence
    from .analysis.meta.meta_evaluate import meta_evaluate
    from .analysis.meta.results import (
        MetaEvaluation,
        MetricAgreement,
        MetricDifference,
    )
    from .analysis.pairs.agreement import agreement
    from .analysis.pairs.best import BestCandidates, select_best
    from .analysis.pairs.consensus import Consensus, select_consensus
    from .analysis.pairs.duplicate_index import DuplicateIndex, Neighbors
    from .analysis.pairs.duplicates import near_duplicates
    from .analysis.pairs.matrix import score_matrix
    from .analysis.pairs.nearest_texts import NearDuplicates
    from .analysis.pairs.self_bleu import self_bleu
    from .analysis.power.required_samples import required_samples
    from .analysis.power.sample_size import SampleSize
    from .analysis.profiles import ProfileComparison, ProfileDifference, compare_profiles
    from .analysis.ranking.system_ranking import RankedSystem, SystemPair, SystemRanking
    from .analysis.sets.compare_sets import compare_test_sets
    from .analysis.sets.set_comparison import MacroScore, SetComparison
    from .analysis.significance import compare_systems
    from .analysis.system_comparison import SystemComparison, SystemScore
    from .analysis.systems import SummedScore
    from .counting.kernels import use_kernel
    from .families.bleu.penalty import brevity_penalty
    from .families.bleu.score import BleuScore, SacrebleuScore
    from .families.rouge.formulas import RougeScores, Score
    from .integrations.columns import score_table
    from .integrations.load import load
    from .integrations.trainer import compute_metrics
    from .integrations.trainer_hook import ComputeMetrics
    from .options.options import Options
    from .scoring.functional import bleu_score, rouge_scores
    from .scoring.pair_scorer import PairScorer
    from .scoring.scorer import Scorer

__all__ = [
    "BestCandidates",
    "BleuScore",
    "BucketComparison",
    "ComputeMetrics",
    "Consensus",
    "DuplicateIndex",
    "Explanation",
    "Influence",
    "MacroScore",
    "MetaEvaluation",
    "MetricAgreement",
    "MetricDifference",
    "NearDuplicates",
    "Neighbors",
    "NgramDifference",
    "NgramDifferences",
    "Options",
    "PairScorer",
    "ProfileComparison",
    "ProfileDifference",
    "RankedSystem",
    "RougeScores",
    "SacrebleuScore",
    "SampleSize",
    "Score",
    "Scorer",
    "SetComparison",
    "SummedScore",
    "SystemComparison",
    "SystemPair",
    "SystemRanking",
    "SystemScore",
    "__version__",
    "agreement",
    "bleu_score",
    "brevity_penalty",
    "compare_buckets",
    "compare_profiles",
    "compare_systems",
    "compare_test_sets",
    "compute_metrics",
    "explain",
    "influence",
    "load",
    "meta_evaluate",
    "near_duplicates",
    "ngram_differences",
    "required_samples",
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
    "BestCandidates": "analysis.pairs.best",
    "BleuScore": "families.bleu.score",
    "BucketComparison": "analysis.buckets.results",
    "ComputeMetrics": "integrations.trainer_hook",
    "Consensus": "analysis.pairs.consensus",
    "DuplicateIndex": "analysis.pairs.duplicate_index",
    "Explanation": "analysis.explain",
    "Influence": "analysis.influence",
    "MetaEvaluation": "analysis.meta.results",
    "MetricAgreement": "analysis.meta.results",
    "MetricDifference": "analysis.meta.results",
    "MacroScore": "analysis.sets.set_comparison",
    "NearDuplicates": "analysis.pairs.nearest_texts",
    "Neighbors": "analysis.pairs.duplicate_index",
    "NgramDifference": "analysis.buckets.results",
    "NgramDifferences": "analysis.buckets.results",
    "Options": "options.options",
    "PairScorer": "scoring.pair_scorer",
    "ProfileComparison": "analysis.profiles",
    "ProfileDifference": "analysis.profiles",
    "RankedSystem": "analysis.ranking.system_ranking",
    "RougeScores": "families.rouge.formulas",
    "SacrebleuScore": "families.bleu.score",
    "SampleSize": "analysis.power.sample_size",
    "Score": "families.rouge.formulas",
    "Scorer": "scoring.scorer",
    "SetComparison": "analysis.sets.set_comparison",
    "SummedScore": "analysis.systems",
    "SystemComparison": "analysis.system_comparison",
    "SystemPair": "analysis.ranking.system_ranking",
    "SystemRanking": "analysis.ranking.system_ranking",
    "SystemScore": "analysis.system_comparison",
    "agreement": "analysis.pairs.agreement",
    "bleu_score": "scoring.functional",
    "brevity_penalty": "families.bleu.penalty",
    "compare_buckets": "analysis.buckets.compare",
    "compare_profiles": "analysis.profiles",
    "compare_systems": "analysis.significance",
    "compare_test_sets": "analysis.sets.compare_sets",
    "compute_metrics": "integrations.trainer",
    "explain": "analysis.explain",
    "influence": "analysis.influence",
    "load": "integrations.load",
    "meta_evaluate": "analysis.meta.meta_evaluate",
    "near_duplicates": "analysis.pairs.duplicates",
    "required_samples": "analysis.power.required_samples",
    "ngram_differences": "analysis.buckets.differences",
    "rouge_scores": "scoring.functional",
    "score_matrix": "analysis.pairs.matrix",
    "score_table": "integrations.columns",
    "select_best": "analysis.pairs.best",
    "select_consensus": "analysis.pairs.consensus",
    "self_bleu": "analysis.pairs.self_bleu",
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
