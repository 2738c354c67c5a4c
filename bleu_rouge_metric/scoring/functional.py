"""BLEU and ROUGE of lists of texts, without ``evaluate``; the results are named tuples."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, cast, overload

import numpy as np

from ..families.bleu.score import BleuScore, SacrebleuScore
from ..families.parts import PartScore, RougeScores
from ..families.rouge.family import Rouge
from ..options.errors import name_arguments, refuse_options
from ..options.options import Options
from ..options.profiles import BleuProfile, Family, RougeProfile
from ..options.table import option_names
from .results import find_single_pair, read_pair
from .scorer import Scorer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import BleuKeywords, RougeKeywords

_BLEU: Final[tuple[Family, ...]] = ("bleu",)
_ROUGE: Final[tuple[Family, ...]] = ("rouge",)

RougeResult = dict[str, RougeScores]
_Quick = Callable[[str, list[str]], RougeResult | None]


@overload
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: Literal["hf", "nltk"] | None = None,
    **options: "Unpack[BleuKeywords]",
) -> BleuScore: ...


@overload
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: Literal["sacrebleu"],
    **options: "Unpack[BleuKeywords]",
) -> SacrebleuScore: ...


@overload
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: Literal["google_bleu", "coco", "codexglue"],
    **options: "Unpack[BleuKeywords]",
) -> dict[str, Any]: ...


@overload
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: BleuProfile | None,
    **options: "Unpack[BleuKeywords]",
) -> BleuScore | SacrebleuScore | dict[str, Any]: ...


@name_arguments
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: BleuProfile | None = None,
    **options: "Unpack[BleuKeywords]",
) -> BleuScore | SacrebleuScore | dict[str, Any]:
    """Compute corpus BLEU, bit-identical to the library that the profile names.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profile: ``hf`` (default; evaluate's ``bleu``), ``sacrebleu``, ``nltk``, ``google_bleu``,
            ``coco`` or ``codexglue``.
        **options: the options of BLEU that ``metric.compute`` takes, such as ``max_order``,
            ``smooth`` and ``tokenizer``.

    Returns:
        The score and its components: ``BleuScore`` for ``hf`` and ``nltk``, ``SacrebleuScore`` for
        ``sacrebleu``, and for the other profiles the dict of ``metric.compute``, since their scores
        have other names. The score is a list if ``weights`` has several sequences.

    Raises:
        TypeError: an argument or an item is of a wrong type, or an option is unknown.
        ValueError: an argument is out of range, or the samples do not fit together.

    >>> score = bleu_score(["Paris is the capital of France"],
    ...                    ["Paris is the biggest French city"], max_order=1)
    >>> score.bleu, score.precisions
    (0.5, [0.5])
    >>> bleu_score(["Paris is the capital of France"], ["Paris is the biggest French city"],
    ...            profile="sacrebleu", smooth="floor", smooth_value=1).score
    35.930411196308434
    """
    if options:
        asked = option_names("aggregation", "output", families=_BLEU)
        refuse_options(options, asked, "bleu_score", "returns one score")
    checked = Options.from_keywords({**options, "profile": profile}, _BLEU)
    pair, single = read_pair(predictions, references), find_single_pair(checked, _BLEU)
    # Functions warn once per set of options.
    warned: set[str] = checked.keep("warned", set)
    values = None
    if pair is not None and single is not None:
        # Fast path: equals the lines below, in a tenth of the time (bench/latency.py).
        values = single(*pair, warned)
    if values is None:
        scorer = Scorer.from_options(checked, _BLEU, warned=warned)
        scorer.update(predictions, references)
        values = scorer.result()
    if "brevity_penalty" in values:
        return BleuScore(**values)
    return SacrebleuScore(**values) if "bp" in values else values


@name_arguments
def rouge_scores(
    predictions: object,
    references: object,
    *,
    profile: RougeProfile | None = None,
    **options: "Unpack[RougeKeywords]",
) -> RougeResult:
    """Compute ROUGE of every sample, bit-identical to the library that the profile names.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profile: ``hf`` (default), ``rouge_score``, ``coco``, ``rouge``, ``rouge-chinese``,
            ``xlsum``, ``rouge-1.5.5`` or ``lin2004``.
        **options: the options of ROUGE that ``metric.compute`` takes, such as ``rouge_types``,
            ``use_stemmer`` and ``tokenizer``.

    Returns:
        For each type a ``RougeScores`` of float64 arrays of shape (samples,).

    Raises:
        TypeError: an argument or an item is of a wrong type, or an option is unknown.
        ValueError: an argument is out of range, or the samples do not fit together.

    >>> scores = rouge_scores(["The quick brown fox jumps on the log."],
    ...                       ["The quick brown fox jumps over the lazy dog."],
    ...                       rouge_types=["rouge1", "rouge2"])
    >>> scores["rouge1"].precision, scores["rouge2"].recall
    (array([0.75]), array([0.5]))
    """
    if options:
        asked = option_names("aggregation", "output", families=_ROUGE)
        refuse_options(options, asked, "rouge_scores", "returns one score per sample")
    checked = Options.from_keywords({**options, "profile": profile}, _ROUGE)
    pair = read_pair(predictions, references)
    quick: _Quick | None = checked.keep("quick rouge_scores", lambda: _prepare_quick(checked))
    if pair is not None and quick is not None:
        # Fast path: equals the lines below, in a tenth of the time (bench/latency.py).
        scores = quick(*pair)
        if scores is not None:
            return scores
    scorer = Scorer.from_options(checked, _ROUGE, warned=checked.keep("warned", set))
    scorer.update(predictions, references)
    return dict(_find_scoring(checked).score_parts(scorer.counts()))


def _find_scoring(options: Options) -> PartScore:
    """Return how the counts become ROUGE."""
    (scoring,) = options.plan(_ROUGE).scores.values()
    return cast("PartScore", scoring)


def _prepare_quick(options: Options) -> _Quick | None:
    """Return the fast path for single pairs; None if there is none."""
    scoring = _find_scoring(options)
    score_parts = scoring.pair_parts() if isinstance(scoring, Rouge) else None
    if score_parts is None:
        return None
    names, array = scoring.names, np.array

    def score(prediction: str, references: list[str]) -> RougeResult | None:
        parts = score_parts(prediction, references)
        if parts is None:
            return None
        return {
            name: RougeScores(array([precision]), array([recall]), array([fmeasure]))
            for name, (precision, recall, fmeasure) in zip(names, parts, strict=True)
        }

    return score
