"""BLEU and ROUGE of lists of texts, without ``evaluate``: one call, named tuples back."""

from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args, overload

from ..arrays import to_offsets
from ..bleu.score import BleuScore, SacrebleuScore
from ..checks import check_choice
from ..counting.kernels import RougeCounts
from ..options.arguments import name_arguments
from ..options.keywords import BleuProfile, RougeProfile
from ..options.options import Options
from ..options.profiles import PROFILES
from ..options.table import option_names
from ..rouge.formulas import RougeScores
from .results import score_rouge
from .scorer import Scorer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import BleuKeywords, RougeKeywords

_BLEU_PROFILES: Final = get_args(BleuProfile)


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
    """Corpus BLEU, equal to the library that the profile names.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profile: ``hf`` (evaluate's ``bleu``), ``sacrebleu`` or ``nltk``.
        **options: the options of BLEU that ``metric.compute`` takes, such as ``max_order``,
            ``smooth`` and ``tokenizer``.

    Returns:
        The score and what it is made of: ``SacrebleuScore`` for ``sacrebleu``, else ``BleuScore``.
        The score is a list if ``weights`` are several sets.

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
    for option in option_names("aggregation", "output", families=["bleu"]):
        if option in options:
            raise TypeError(
                f"{option!r} is no option of bleu_score, which gives one score; use metric.compute."
            )
    _check_profile(profile)
    checked = Options.from_keywords({**options, "profile": profile}, ["bleu"])
    scorer = Scorer.from_options(checked, ["bleu"])
    scorer.update(predictions, references)
    values: dict[str, Any] = scorer.result()
    return SacrebleuScore(**values) if checked.profile == "sacrebleu" else BleuScore(**values)


def _check_profile(profile: object) -> None:
    """Raise unless it is a profile of ``bleu_score``, or None."""
    if profile == "google_bleu":
        raise ValueError(
            "bleu_score gives BLEU, and 'google_bleu' is another score; "
            'use load("bleu").compute(..., profile="google_bleu").'
        )
    if isinstance(profile, str) and profile in PROFILES and profile not in _BLEU_PROFILES:
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
) -> dict[str, RougeScores]:
    """ROUGE of every sample, equal to ``rouge_score``, or to what the profile names.

    Args:
        predictions: sequence of str, one per sample.
        references: sequence of the same length; each item one str or a sequence of str.
        profile: ``hf`` (default), ``rouge_score``, ``rouge-1.5.5`` or ``lin2004``.
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
    for option in option_names("aggregation", "output", families=["rouge"]):
        if option in options:
            raise TypeError(
                f"{option!r} is no option of rouge_scores, which gives one score per sample; "
                "use metric.compute."
            )
    checked = Options.from_keywords({**options, "profile": profile}, ["rouge"])
    scorer = Scorer.from_options(checked, ["rouge"])
    scorer.update(predictions, references)
    counts = scorer.counts()
    offsets = to_offsets(counts.reference_counts)
    plan = checked.plan(["rouge"]).scoring
    return dict(score_rouge(cast("RougeCounts", counts.rouge), offsets, plan))
