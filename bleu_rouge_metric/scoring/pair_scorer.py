"""Score one pair at a time with a scorer that is prepared once, as rewards and harnesses do."""

import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..checks import find_closest, hint_at
from ..counting.pairs import make_sample
from ..families.counts import SampleCounts
from ..families.registry import FAMILIES
from ..families.score import PairScore
from ..messages import describe_value, format_message, value_error
from ..options.errors import refuse, refuse_options
from ..options.options import Options, write_keywords
from ..options.plans import Plan
from ..options.profiles import DEFAULT, Family, find_profile, find_profile_with
from ..options.table import option_names
from ..samples.inputs import Samples, check_pair, check_samples
from .counting import cache_tokens, count_samples
from .text_warnings import TextWarnings

Floats = NDArray[np.float64]

if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultTypeVar
    from typing_extensions import Unpack

    from ..options.keywords import PairKeywords

    _Value = TypeVar("_Value", float, Floats)
    _Scores = DefaultTypeVar("_Scores", default=Any)

    class PairScores(tuple[_Value, ...]):
        """What type checkers know of the named tuples, whose names are known at run time only."""

        __slots__ = ()

        def __getattr__(self, name: str) -> _Value: ...

else:
    _Scores = TypeVar("_Scores")

# How many of the first pairs are checked for options that do not suit the texts, and how many later
# ones that have no tokens. Other pairs cost no time.
_FIRST_CHECKS = 8
_LATER_CHECKS = 64
# Made once, because it is compared for every pair.
_STRINGS = {str}


class PairScorer(Generic[_Scores]):
    """Score one prediction with its references per call, BLEU from 0 to 1 like ROUGE.

    BLEU is evaluate's (``hf``) unless a profile is given. Without ``smooth``, a prediction that
    shares no 4-gram with its references scores 0. ``profile="sacrebleu"`` is smoothed and gives 0
    to 100.

    Options are checked once, and a call takes microseconds. The scores are those of
    ``metric.compute`` with ``use_aggregator=False`` and ``sentence_bleu=True``. The tokens of the
    last texts are cached for tokenizers and splitters in Python, so that the reference of several
    completions is tokenized once. Threads may share it. It can be pickled if the functions among
    its options can.

    Attributes:
        score: the name of the score, or the names of several.
        options: checked.

    >>> scorer = PairScorer("rougeL")
    >>> scorer("the cat sat", "the cat sat down")
    0.8571428571428571
    >>> both = PairScorer(("rouge1", "bleu"), smooth="exp")
    >>> both("the cat sat down here", ["a cat sat down", "the cat sat"])
    PairScores(rouge1=0.7499999999999999, bleu=0.5623413251903491)
    """

    @overload
    def __init__(
        self: "PairScorer[float]", score: str = "rougeL", **options: "Unpack[PairKeywords]"
    ) -> None: ...

    @overload
    def __init__(
        self: "PairScorer[PairScores[float]]",
        score: Sequence[str],
        **options: "Unpack[PairKeywords]",
    ) -> None: ...

    def __init__(
        self, score: str | Sequence[str] = "rougeL", **options: "Unpack[PairKeywords]"
    ) -> None:
        """Check the options.

        Args:
            score: ``bleu``, ``google_bleu``, a ROUGE type, or a sequence of these. BLEU is the
                sentence BLEU of the profile; ROUGE is the F-measure.
            **options: the options of ``metric.compute`` that change scores, such as ``profile``,
                ``use_stemmer``, ``tokenizer`` and ``smooth``.

        Raises:
            TypeError: an option is unknown, or asks for another output.
            ValueError: a score is unknown, comes twice, or is not one of the profile.
        """
        names = check_scores(score)
        self.score = names[0] if isinstance(score, str) else names
        self.options, self._families = check_options(names, dict(options))
        self._prepare()

    def _prepare(self) -> None:
        self._names = (self.score,) if isinstance(self.score, str) else self.score
        plan = self.options.plan(self._families)
        self._plan = plan = cache_tokens(plan)
        self._of_ids = plan.counts_ids
        # None for a single score, which is a float.
        self._make: Callable[[Sequence[Any]], Any] | None = None
        if not isinstance(self.score, str):
            # Fast path: equals _make of the named tuple.
            self._make = partial(tuple.__new__, _make_class(self._names))
        self._quick = _prepare_quick(self._names, plan)
        self._checks = _FIRST_CHECKS + _LATER_CHECKS
        self._texts = TextWarnings()

    def __getstate__(self) -> dict[str, Any]:
        return {"score": self.score, "options": self.options, "_families": self._families}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()

    def __repr__(self) -> str:
        options = self.options.to_keywords(self._families)
        options.pop("rouge_types", None)
        return f"PairScorer({self.score!r}, {write_keywords(options)})"

    def __call__(self, prediction: str, references: str | Sequence[str]) -> _Scores:
        """Score a prediction.

        Args:
            prediction: a str; with ``tokenizer="ids"`` a sequence of token ids.
            references: a str, or a sequence of one or more.

        Returns:
            A float; or a named tuple of floats if the scorer has several scores, in whose names
            ``-`` and ``.`` are replaced by ``_``, as in ``rougeW_1_2``.

        Raises:
            TypeError: a text is not a str.
            ValueError: there is no reference.
        """
        quick = self._quick
        if quick is None or type(prediction) is not str:
            return self._score_checked(prediction, references)
        if type(references) is str and "[" not in references:
            texts = [references]
        elif type(references) is list and references and set(map(type, references)) == _STRINGS:
            texts = references
        else:
            return self._score_checked(prediction, references)
        scores, has_tokens = quick(prediction, texts)
        if self._checks and (self._checks > _LATER_CHECKS or not has_tokens):
            sample = make_sample(prediction, texts)
            self._warn(sample, count_samples(sample, self._plan))
        # The number of names is known at run time only.
        return scores[0] if self._make is None else self._make(scores)  # type: ignore[return-value]

    @overload
    def batch(self: "PairScorer[float]", predictions: object, references: object) -> Floats: ...

    @overload
    def batch(
        self: "PairScorer[PairScores[float]]", predictions: object, references: object
    ) -> "PairScores[Floats]": ...

    def batch(self, predictions: object, references: object) -> Any:
        """Score many pairs at once.

        Args:
            predictions: sequence of str, one per sample.
            references: sequence of the same length; each item one str or a sequence of str.

        Returns:
            float64, shape (samples,); or a named tuple of such arrays.

        Raises:
            TypeError: an item is of a type that cannot be scored.
            ValueError: there is no sample, or the lengths differ.
        """
        samples = check_samples(predictions, references, of_ids=self._of_ids)
        arrays = self.score_samples(samples)
        return arrays[0] if self._make is None else self._make(arrays)

    def _score_checked(self, prediction: object, references: object) -> _Scores:
        """Score a pair of other types, or of scores that have no fast path."""
        samples = check_pair(prediction, references, of_ids=self._of_ids)
        found = [float(array[0]) for array in self.score_samples(samples)]
        return found[0] if self._make is None else self._make(found)  # type: ignore[return-value]

    def score_samples(self, samples: Samples) -> list[Floats]:
        """Like ``batch``, for checked samples; return a list in the order of the names."""
        counts = count_samples(samples, self._plan)
        found: dict[str, Floats] = {}
        for part in self._plan.scores.values():
            found.update(part.score_samples(counts))
        if self._checks:
            self._warn(samples, counts)
        return [found[name] for name in self._names]

    def _warn(self, samples: Samples, counts: SampleCounts) -> None:
        """Warn once of mistakes and if the options leave nothing of a text, or drop letters."""
        has_warned = self._texts.check_tokens(samples, counts, self._plan)
        self._checks = 0 if has_warned else self._checks - 1


def _prepare_quick(names: Sequence[str], plan: Plan) -> PairScore | None:
    """Return the fast path to the scores in the order of the names; None if there is none."""
    quick: list[PairScore] = []
    order: list[str] = []
    for part in plan.scores.values():
        score_pair = part.pair()
        if score_pair is None:
            return None
        quick.append(score_pair)
        order += part.names
    if len(quick) == 1 and order == list(names):
        return quick[0]
    places = [order.index(name) for name in names]
    # The one score of a family with several is in a sequence too.
    choose = itemgetter(*places) if len(places) > 1 else itemgetter(slice(places[0], places[0] + 1))
    if len(quick) == 2:
        first, second = quick

        def score_two(prediction: str, references: list[str]) -> tuple[Any, bool]:
            ours, have = first(prediction, references)
            theirs, others_have = second(prediction, references)
            return choose((*ours, *theirs)), have and others_have

        return score_two

    def score(prediction: str, references: list[str]) -> tuple[Any, bool]:
        found = [part(prediction, references) for part in quick]
        scores = [score for scores, _ in found for score in scores]
        return choose(scores), all(has_tokens for _, has_tokens in found)

    return score


@lru_cache(maxsize=64)
def _make_class(names: tuple[str, ...]) -> Any:
    """Make the named tuple of these scores; the same class for the same names."""
    fields = [re.sub(r"\W", "_", name) for name in names]
    make: Any = namedtuple  # noqa: PYI024 - the names are known only now
    scores = make("PairScores", fields)
    # No module has the class, so that it is made again where it is unpickled.
    scores.__reduce__ = lambda self: (_make_scores, (names, tuple(self)))
    return scores


def _make_scores(names: tuple[str, ...], scores: Sequence[Any]) -> Any:
    """Return the named tuple of scores."""
    return _make_class(names)._make(scores)


def check_scores(score: object) -> tuple[str, ...]:
    """Return the names of the scores."""
    if isinstance(score, str):
        names: tuple[Any, ...] = (score,)
    elif isinstance(score, Iterable) and not isinstance(score, bytes | Mapping):
        names = tuple(score)
    else:
        expected = "expected 'bleu', 'google_bleu', a ROUGE type such as 'rougeL', or a sequence"
        raise TypeError(describe_value("score", repr(score), f"{expected} of these."))
    if not names:
        raise value_error("{score} is empty", expected="expected at least one, such as 'rougeL'.")
    for name in names:
        if names.count(name) > 1:
            raise value_error("{score} has {!r} twice", name, expected="expected it once.")
    return names


def check_options(
    names: Sequence[str], options: dict[str, Any]
) -> tuple[Options, tuple[Family, ...]]:
    """Check the options for these scores, and return them with the families."""
    if "rouge_types" in options:
        remedy = format_message("Name the types as {score}.")
        refuse("rouge_types", "does not apply to single pairs", remedy)
    unasked = option_names("output", "aggregation")
    refuse_options(options, unasked, "single pairs", "have one number per score")
    if options.get("profile") is None:
        options["profile"] = _choose_profile(names)
    profile = find_profile(options["profile"])
    asked: dict[str, list[str]] = {}
    for name in names:
        family = profile.find_family(name)
        if family is None:
            raise _describe_missing(name, options["profile"])
        asked.setdefault(family.name, []).append(name)
    for key, own in asked.items():
        options.update(FAMILIES[key].ask(own))
    groups: Any = tuple(FAMILIES[key].group for key in profile.calculates if key in asked)
    checked = Options.from_keywords(options, groups)
    plan = checked.plan(groups)
    scored: list[str] = []
    for scoring in plan.scores.values():
        scoring.check_one_score("a pair has one BLEU here")
        scored += scoring.names
    for name in names:
        if name not in scored:
            raise value_error(
                "{score} has {!r}, which these options leave out",
                name,
                expected=f"expected one of {', '.join(scored)}.",
            )
    return checked, plan.families


def _choose_profile(names: Sequence[str]) -> str:
    """Return the first profile that has all scores."""
    profile = find_profile_with(names)
    if profile is not None:
        return profile
    for name in names:
        if find_profile_with([name]) is None:
            for family in FAMILIES.values():
                family.check_name(name)
            raise ValueError(
                f"Unknown score {name!r}; expected 'bleu', 'google_bleu' or a ROUGE type such as "
                "'rougeL'."
            )
    usual = [name for name in names if find_profile(DEFAULT).find_family(name) is not None]
    other = next(name for name in names if name not in usual[:1])
    raise ValueError(f"{other!r} is the score of another profile; ask for it separately.")


def _describe_missing(name: object, profile: str) -> ValueError:
    """Return the error for a score that a profile does not have."""
    families = [FAMILIES[key] for key in find_profile(profile).calculates]
    group = next((family.group for family in FAMILIES.values() if family.has_score(name)), None)
    if group is not None and all(family.group != group for family in families):
        return value_error(
            "{profile} {!r} has no {}",
            *(profile, group.upper()),
            remedy=format_message("leave it out of {score}, or choose another profile."),
        )
    if group is None:
        for family in families:
            family.check_name(name)
    known = [score for family in families for score in family.list_names()]
    *firsts, last = map(repr, known)
    listed = f"{', '.join(firsts)} or {last}" if firsts else last
    hint = hint_at(find_closest(str(name), known))
    return ValueError(f"profile {profile!r} has no score {name!r}; expected {listed}.{hint}")
