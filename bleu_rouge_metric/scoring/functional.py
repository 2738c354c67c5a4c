"""BLEU and ROUGE of lists of texts, without ``evaluate``; the results are named tuples."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args, overload

import numpy as np

from ..checks import check_choice
from ..families.bleu.score import BleuScore, SacrebleuScore
from ..families.rouge.counting import RougeCounting
from ..families.rouge.formulas import RougeScores
from ..families.rouge.parts import PartScoring
from ..families.rouge.scoring import RougeScoring
from ..options.arguments import name_arguments
from ..options.keywords import BleuProfile, RougeProfile
from ..options.options import Options
from ..options.profiles import PROFILES, Family
from ..options.relevance import refuse_options
from ..options.table import option_names
from .results import find_single_pair, read_pair
from .scorer import Scorer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import BleuKeywords, RougeKeywords

_BLEU_PROFILES: Final = get_args(BleuProfile)
_BLEU: Final[tuple[Family, ...]] = ("bleu",)
_ROUGE: Final[tuple[Family, ...]] = ("rouge",)

RougeResult = dict[str, RougeScores]


@overload
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: Literal["hf", "nltk"] = "hf",
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
    profile: BleuProfile,
    **options: "Unpack[BleuKeywords]",
) -> BleuScore | SacrebleuScore: ...


@name_arguments
def bleu_score(
    predictions: object,
    references: object,
    *,
    profile: BleuProfile = "hf",
    **options: "Unpack[BleuKeywords]",
) -> BleuScore | SacrebleuScore:
    """Compute corpus BLEU, bit-identical to the library that the profile names.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profile: ``hf`` (evaluate's ``bleu``), ``sacrebleu`` or ``nltk``.
        **options: the options of BLEU that ``metric.compute`` takes, such as ``max_order``,
            ``smooth`` and ``tokenizer``.

    Returns:
        The score and its components: ``SacrebleuScore`` for ``sacrebleu``, else ``BleuScore``. The
        score is a list if ``weights`` has several sequences.

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
    _check_profile(profile)
    checked = Options.from_keywords({**options, "profile": profile}, _BLEU)
    values = _score_bleu(predictions, references, checked)
    return SacrebleuScore(**values) if checked.profile == "sacrebleu" else BleuScore(**values)


def _score_bleu(predictions: object, references: object, options: Options) -> dict[str, Any]:
    """Return the fields of the score."""
    pair, single = read_pair(predictions, references), find_single_pair(options, _BLEU)
    warned = _find_warned(options)
    if pair is not None and single is not None:
        # Fast path: equals the lines below, in a tenth of the time (bench/latency.py).
        found = single.score(*pair, warned)
        if found is not None:
            return found
    scorer = Scorer.from_options(options, _BLEU, warned=warned)
    scorer.update(predictions, references)
    values: dict[str, Any] = scorer.result()
    return values


def _find_warned(options: Options) -> set[str]:
    """Return the names of the warnings that were given: functions warn once per set of options."""
    warned: set[str] = options.keep("warned", set)
    return warned


def _check_profile(profile: object) -> None:
    """Raise unless it is a profile of ``bleu_score``, or None."""
    if isinstance(profile, str) and profile in PROFILES and profile not in _BLEU_PROFILES:
        if "bleu" in PROFILES[profile].families:
            raise ValueError(
                f"bleu_score gives BLEU, and {profile!r} is another score; "
                f'use load("bleu").compute(..., profile="{profile}").'
            )
        names = ", ".join(map(repr, _BLEU_PROFILES))
        raise ValueError(f"profile {profile!r} has no BLEU; expected one of {names}.")
    if profile is not None:
        check_choice("profile", profile, _BLEU_PROFILES)


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
    pair, quick = read_pair(predictions, references), _find_quick(checked)
    if pair is not None and quick is not None:
        # Fast path: equals the lines below, in a tenth of the time (bench/latency.py).
        scores = quick(*pair)
        if scores is not None:
            return scores
    scorer = Scorer.from_options(checked, _ROUGE, warned=_find_warned(checked))
    scorer.update(predictions, references)
    return dict(_find_scoring(checked).score_parts(scorer.counts()))


def _find_scoring(options: Options) -> PartScoring[Any]:
    """Return how the counts become ROUGE."""
    (scoring,) = options.plan(_ROUGE).scoring.parts.values()
    return cast("PartScoring[Any]", scoring)


def _find_quick(options: Options) -> Callable[[str, list[str]], RougeResult | None] | None:
    """Return the fast path for single pairs, prepared once; None if there is none."""
    quick: Callable[[str, list[str]], RougeResult | None] | None = options.keep(
        "quick rouge_scores", lambda: _prepare_quick(options)
    )
    return quick


def _prepare_quick(options: Options) -> Callable[[str, list[str]], RougeResult | None] | None:
    (counting,) = options.plan(_ROUGE).counting.parts.values()
    scoring = _find_scoring(options)
    if not isinstance(scoring, RougeScoring):
        return None
    score_parts = scoring.prepare_parts(cast("RougeCounting", counting))
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
