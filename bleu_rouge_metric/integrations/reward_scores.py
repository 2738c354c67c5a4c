"""One number from 0 to 1 of the scores of a completion."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

from ..checks import check_choice, check_number, is_sequence
from ..messages import rename_arguments
from ..options.profiles import find_profile
from ..scoring.pair_scorer import PairScorer
from .reward_texts import Extract

Combine = Literal["harmonic", "mean"]
Weights = Mapping[str, float] | Sequence[float]
# None if the completion has no reference.
Row = tuple[float, ...] | None

_PERCENT: Final = 100.0


class RewardScorer(NamedTuple):
    """Scores of completions, and the reward that they make.

    Attributes:
        names: of the scores.
        scorer: gives them.
        extract: what is scored of a completion; None for the whole.
        combine: how several scores make one number.
        weights: of the scores; None if they are combined without.
        percents: the places of scores that the scorer gives from 0 to 100.
    """

    names: tuple[str, ...]
    scorer: PairScorer
    extract: Extract | None
    combine: Combine
    weights: tuple[float, ...] | None
    percents: tuple[int, ...]

    def score_one(self, place: str, text: str, reference: Any) -> tuple[float, ...]:
        """Return the scores of a completion, each from 0 to 1.

        Args:
            place: of the reference, for errors.
            text: the completion.
            reference: a str or several.
        """
        if self.extract is not None:
            text = self._extract(text)
        try:
            found = self.scorer(text, reference)
        except (TypeError, ValueError) as error:
            rename_arguments(error, {"references": place})
            raise
        return self._scale((found,) if isinstance(self.scorer.score, str) else tuple(found))

    def score_all(self, name: str, texts: Sequence[Any], references: Sequence[Any]) -> list[Row]:
        """Return the scores of each completion, a text or token ids; None if its reference is."""
        if self.extract is not None:
            texts = [self._extract(text) for text in texts]
        places = [index for index, reference in enumerate(references) if reference is not None]
        rows: list[Row] = [None] * len(texts)
        if not places:
            return rows
        try:
            found = self.scorer.batch(
                [texts[index] for index in places], [references[index] for index in places]
            )
        except (TypeError, ValueError):
            whole = self._replace(extract=None)
            # One of them is at fault; alone it raises the error with its place.
            for index in places:
                whole.score_one(f"{name}[{index}]", texts[index], references[index])
            raise
        arrays = (found,) if isinstance(self.scorer.score, str) else tuple(found)
        values = zip(*(array.tolist() for array in arrays), strict=True)
        for index, row in zip(places, values, strict=True):
            rows[index] = self._scale(row)
        return rows

    def combine_scores(self, scores: tuple[float, ...]) -> float:
        """Return one number of the scores.

        The order of the operations is part of the contract.
        """
        if self.weights is not None:
            products = (w * score for w, score in zip(self.weights, scores, strict=True))
            return _add(products) / _add(self.weights)
        if len(scores) == 1:
            return scores[0]
        if self.combine == "mean":
            return _add(scores) / len(scores)
        if not min(scores) > 0:
            return 0.0
        if len(scores) == 2:
            first, second = scores
            return 2 * first * second / (first + second)
        return len(scores) / _add(1 / score for score in scores)

    def _extract(self, text: str) -> str:
        extracted = self.extract(text) if self.extract is not None else text
        if not isinstance(extracted, str):
            raise TypeError(
                f"extract returned {type(extracted).__name__} for a completion; expected a str, "
                "empty if it has no answer."
            )
        return extracted

    def _scale(self, scores: tuple[float, ...]) -> tuple[float, ...]:
        if not self.percents:
            return scores
        return tuple(
            score / _PERCENT if place in self.percents else score
            for place, score in enumerate(scores)
        )


def make_reward_scorer(
    score: str | Sequence[str],
    extract: Extract | None,
    combine: Combine | None,
    weights: Weights | None,
    options: Mapping[str, Any],
) -> RewardScorer:
    """Check how a reward is made.

    Raises:
        TypeError: an argument is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, or the weights do not fit the scores.
    """
    scorer = PairScorer(score, **options)
    names = (scorer.score,) if isinstance(scorer.score, str) else tuple(scorer.score)
    if combine is not None:
        check_choice("combine", combine, get_args(Combine))
        if weights is not None:
            raise ValueError(
                "combine and weights are given; expected one of them. weights makes a weighted "
                "mean."
            )
    is_percent = find_profile(scorer.options.profile).percentages
    return RewardScorer(
        names,
        scorer,
        extract,
        combine or "harmonic",
        None if weights is None else _check_weights(weights, names),
        tuple(index for index, name in enumerate(names) if is_percent and name == "bleu"),
    )


def _check_weights(weights: Weights, names: tuple[str, ...]) -> tuple[float, ...]:
    """Return one weight per score, in their order."""
    shown = ", ".join(map(repr, names))
    if len(names) == 1:
        raise ValueError(
            f"weights combines several scores, but there is only {shown}; leave it out."
        )
    expected = f"expected one number of at least 0 for each of {shown}, not all of them 0."
    if isinstance(weights, Mapping):
        if set(weights) != set(names):
            raise ValueError(f"weights has {', '.join(map(repr, weights))}; {expected}")
        given = [weights[name] for name in names]
    elif not is_sequence(weights):
        raise TypeError(f"weights is {weights!r}; {expected}")
    elif len(weights) != len(names):
        raise ValueError(f"weights has {len(weights)} items; {expected}")
    else:
        given = list(weights)
    checked = tuple(
        check_number(f"weights[{index}]", weight, expected) for index, weight in enumerate(given)
    )
    if min(checked) < 0 or not 0 < sum(checked) < float("inf"):
        raise ValueError(f"weights is {weights!r}; {expected}")
    return checked


def _add(values: Iterable[float]) -> float:
    """Sum from left to right, as sum() does before Python 3.12."""
    total = 0.0
    for value in values:
        total += value
    return total
