"""Rewards for reinforcement learning, as TRL, verl and OpenRLHF call them.

Each maker returns a callable that scores completions against references: numbers from 0 to 1,
those of ``PairScorer``. It can be pickled if the functions among its options can. No library of
training is imported, but OpenRLHF gets tensors of torch.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce
from operator import add, mul, truediv
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from ..checks import check_choice, check_number, is_sequence
from ..extras import needs
from ..messages import rename_arguments
from ..options.profiles import find_profile
from ..samples.arrow_texts import list_texts
from ..samples.inputs import check_samples
from ..samples.items import read_items
from ..samples.token_ids import IDS, check_ids
from ..scoring.pair_scorer import PairScorer
from ..text.strip import compile_strip, strip_samples
from .completions import (
    Extract,
    check_text_tokenizer,
    choose_id_options,
    cut_prompts,
    find_tokenizer,
    make_extract,
    read_column,
    read_completion,
    read_completions,
    read_references,
    tokenize_references,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import RewardKeywords, TextRewardKeywords

__all__ = [
    "OpenRLHFReward",
    "Reward",
    "VerlScore",
    "make_openrlhf_reward",
    "make_reward",
    "make_verl_score",
]

Tokens = Literal["text", "ids"]
Combine = Literal["harmonic", "mean"]
Weights = Mapping[str, float] | Sequence[float]

_Row = tuple[float, ...]
# From left to right, as sum() before Python 3.12.
_add: Final[Callable[[Iterable[float]], float]] = partial(reduce, add)


class _Scores:
    """Score completions, and make one number from 0 to 1 of their scores.

    Attributes:
        __name__: what logs call the reward.
    """

    def __init__(
        self,
        score: str | Sequence[str],
        options: Mapping[str, Any],
        *,
        extract: object = None,
        combine: Combine | None = None,
        weights: Weights | None = None,
        strip: str | re.Pattern[str] | None = None,
        name: str | None = None,
    ) -> None:
        self._extract = make_extract(extract)
        self._scorer: PairScorer[Any] = PairScorer(score, **options)
        self._of_ids = options.get("tokenizer") == IDS
        names: tuple[str, ...] = (score,) if isinstance(score, str) else tuple(self._scorer.score)
        self._names = names
        if combine is not None:
            check_choice("combine", combine, get_args(Combine))
            if weights is not None:
                raise ValueError(
                    "combine and weights are given; expected one of them. weights makes a "
                    "weighted mean."
                )
        self._weights = (1.0,) * len(names) if combine == "mean" else None
        if weights is not None:
            self._weights = _check_weights(weights, names)
        self._strip = None if strip is None else compile_strip(strip)
        is_percent = find_profile(self._scorer.options.profile).percentages
        self._most = [100.0 if is_percent and one == "bleu" else 1.0 for one in names]
        if name is not None and (not isinstance(name, str) or not name):
            raise TypeError(f"name is {name!r}; expected a str, such as 'short_answers'.")
        self.__name__ = name or "_".join(re.sub(r"\W", "_", each) for each in names)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__!r} of {self._scorer!r}>"

    def _score_all(
        self, texts: Sequence[Any], references: Sequence[Any], names: Mapping[str, str]
    ) -> list[_Row]:
        """Return the scores of completions; ``names`` is what errors call the arguments."""
        if not texts:
            return []
        try:
            samples = check_samples(texts, references, of_ids=self._of_ids)
            if self._strip is not None:
                # An answer of which nothing is left is ordinary, so that no warning is needed.
                samples = strip_samples(samples, self._strip, {"predictions", "references"})
            if self._extract is not None:
                extracted = list(map(self._extract_answer, list_texts(samples.predictions)))
                samples = samples._replace(predictions=extracted)
            arrays = self._scorer.score_samples(samples)
        except (TypeError, ValueError) as error:
            rename_arguments(error, names)
            raise
        columns = [(array / most).tolist() for array, most in zip(arrays, self._most, strict=True)]
        return list(zip(*columns, strict=True))

    def _extract_answer(self, text: str) -> str:
        """Return the part of a completion that is scored."""
        extracted: object = text if self._extract is None else self._extract(text)
        if not isinstance(extracted, str):
            raise TypeError(
                f"extract returned {type(extracted).__name__} for a completion; expected a str, "
                "empty if it has no answer."
            )
        return extracted

    def _combine(self, scores: _Row) -> float:
        """Return one number of the scores; the order of the operations is part of the contract."""
        if self._weights is not None:
            return _add(map(mul, self._weights, scores)) / _add(self._weights)
        if len(scores) == 1:
            return scores[0]
        if not min(scores) > 0:
            return 0.0
        if len(scores) == 2:
            first, second = scores
            return 2 * first * second / (first + second)
        return len(scores) / _add(1 / score for score in scores)


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


class Reward(_Scores):
    """A reward function for TRL, created by :func:`make_reward`."""

    def __init__(
        self,
        score: str | Sequence[str],
        options: Mapping[str, Any],
        *,
        reference: str,
        tokenizer: Any,
        **choices: Any,
    ) -> None:
        super().__init__(score, options, **choices)
        self._reference, self._tokenizer = reference, tokenizer

    def __call__(
        self,
        prompts: object = None,
        completions: Any = None,
        completion_ids: Any = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of each completion; None if its reference is None.

        Args:
            prompts: not used.
            completions: texts, or lists of messages; of these the last one of the assistant. Not
                used with ``tokens="ids"``.
            completion_ids: sequences of token ids; used with ``tokens="ids"`` only.
            **columns: of the data set; the one of the references has a str or several a
                completion, or None; with ``tokens="ids"`` also a sequence of ids or several.

        Raises:
            TypeError: the completions, or an item, are of a type that cannot be scored.
            ValueError: the column or the ids are missing, or the lengths differ.
        """
        del prompts
        name = self._reference
        if self._of_ids:
            items = read_items("completion_ids", completion_ids, "one sequence of ids per sample")
            completions = [check_ids(f"completion_ids[{i}]", ids) for i, ids in enumerate(items)]
        else:
            completions = read_completions("completions", completions)
        references = read_column(name, columns, len(completions))
        if self._of_ids:
            references = tokenize_references(self._tokenizer, name, references)
        places = [place for place, one in enumerate(references) if one is not None]
        rewards: list[float | None] = [None] * len(references)
        texts, others = ([side[place] for place in places] for side in (completions, references))
        try:
            rows = self._score_all(texts, others, {})
        except (TypeError, ValueError) as error:
            names = {f"predictions[{i}]": f"completion_ids[{at}]" for i, at in enumerate(places)}
            names |= {f"references[{i}]": f"{name}[{at}]" for i, at in enumerate(places)}
            rename_arguments(error, names)
            raise
        for place, scores in zip(places, rows, strict=True):
            rewards[place] = self._combine(scores)
        return rewards


class VerlScore(_Scores):
    """A ``compute_score`` for verl, created by :func:`make_verl_score`."""

    def __call__(
        self,
        data_source: object = None,
        solution_str: Any = None,
        ground_truth: Any = None,
        extra_info: object = None,
        *,
        solution_strs: Any = None,
        ground_truths: Any = None,
        **others: object,
    ) -> Any:
        """Return the score of a solution, or a list of scores for a batch (the plural names).

        Args:
            data_source: not used.
            solution_str: the completion.
            ground_truth: a str or several.
            extra_info: not used.
            solution_strs: the completions of a batch.
            ground_truths: one str or several a completion.
            **others: not used, such as ``data_sources`` and ``extra_infos``.

        Raises:
            TypeError: a text is of a wrong type, or there is none.
            ValueError: the lengths of a batch differ.
        """
        del data_source, extra_info, others
        if solution_strs is not None:
            texts = read_completions("solution_strs", solution_strs)
            references = read_references("ground_truths", ground_truths, len(texts))
            rows = self._score_all(texts, references, {"references": "ground_truths"})
            return [*map(self._combine, rows)]
        text = read_completion("solution_str", solution_str)
        if self._strip is not None:
            names = {"references[0]": "ground_truth"}
            return self._combine(*self._score_all([text], [ground_truth], names))
        # Fast path: equals the lines above.
        try:
            scores = self._scorer(self._extract_answer(text), ground_truth)
        except (TypeError, ValueError) as error:
            rename_arguments(error, {"references": "ground_truth"})
            raise
        row = (scores,) if isinstance(scores, float) else scores
        return self._combine(tuple(map(truediv, row, self._most)))


class OpenRLHFReward(_Scores):
    """A ``reward_func`` for OpenRLHF, created by :func:`make_openrlhf_reward`."""

    def __call__(self, queries: Any, prompts: Any, labels: Any, **others: object) -> dict[str, Any]:
        """Return the rewards of completions.

        Args:
            queries: each prompt with its completion.
            prompts: as many; what comes up to the end of the prompt is cut from the query.
            labels: as many references, each a str or several.
            **others: not used.

        Returns:
            ``rewards`` and ``scores``, the same tensor of float32, and ``extra_logs`` with a tensor
            of each score.

        Raises:
            ImportError: torch is not installed.
            TypeError: a text is of a wrong type.
            ValueError: the lengths differ, a query does not hold its prompt, or a label is None.
        """
        with needs("make_openrlhf_reward", "training"):
            import torch

        del others
        texts = read_completions("queries", queries)
        texts = cut_prompts(texts, read_completions("prompts", prompts))
        references = read_references("labels", labels, len(texts))
        rows = self._score_all(texts, references, {"references": "labels"})
        rewards = torch.tensor([*map(self._combine, rows)], dtype=torch.float32)
        logs = zip(self._names, zip(*rows, strict=True), strict=False)
        return {
            "rewards": rewards,
            "scores": rewards,
            "extra_logs": {name: torch.tensor(part, dtype=torch.float32) for name, part in logs},
        }


def make_reward(
    score: str | Sequence[str] = "rougeL",
    *,
    reference: str = "ground_truth",
    extract: str | Extract | None = None,
    combine: Combine | None = None,
    weights: Weights | None = None,
    strip: str | re.Pattern[str] | None = None,
    name: str | None = None,
    tokens: Tokens = "text",
    tokenizer: Any = None,
    **options: "Unpack[RewardKeywords]",
) -> Reward:
    """Return a reward function for ``reward_funcs`` of TRL.

    Args:
        score: ``bleu``, ``google_bleu``, a ROUGE type, or several, combined to one number.
        reference: the column of the references.
        extract: what is scored of a completion: ``answer`` for what is in the last
            ``<answer>…</answer>`` (what follows the tag if it is not closed, the whole if there is
            none), the name of another tag, or a function from a completion to a text.
        combine: ``harmonic`` (by default) or ``mean``, for several scores.
        weights: for the weighted mean of several scores: a mapping from the scores, or a sequence
            in their order.
        strip: a regular expression; what matches is removed from completions, before ``extract``,
            and from references, and white space left at the ends. ``THINKING`` of this package
            removes ``<think>…</think>``.
        name: what TRL calls the reward in its logs, where two rewards of one name are one; None
            for the names of the scores.
        tokens: ``text`` scores the texts of completions; ``ids`` their token ids, without decoding.
        tokenizer: of the texts, as in ``metric.compute``. With ``tokens="ids"`` the tokenizer or
            processor of the model: it tokenizes references that are texts, and names the special
            tokens, which are left out. If it has no end-of-sequence token, only ``eos``
            ends a completion. None if the references are ids; ``eos`` and ``pad`` name the special
            tokens then.
        **options: those of ``metric.compute`` that change scores, such as ``profile``, ``smooth``
            and ``use_stemmer``, but not BLEU's ``weights``. Under ``sacrebleu`` BLEU is divided by
            100, so that each score is from 0 to 1.

    Raises:
        TypeError: an argument is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, the weights do not fit the scores, or ``extract`` or
            ``strip`` is given for ids.

    >>> reward = make_reward(("bleu", "rougeL"), reference="summary", smooth=True)
    >>> reward.__name__
    'bleu_rougeL'
    >>> reward(completions=["the cat sat", ""], summary=["the cat sat", "a dog ran"])
    [1.0, 0.0]
    >>> reward = make_reward("rouge1", tokens="ids", eos=2)
    >>> reward(completion_ids=[[7, 8, 9, 2]], ground_truth=[[7, 8]])
    [0.8]
    """
    if not isinstance(reference, str):
        raise TypeError(f"reference is {reference!r}; expected the name of a column.")
    chosen: dict[str, Any] = {**options, "tokenizer": tokenizer}
    if check_choice("tokens", tokens, get_args(Tokens)) == "text":
        check_text_tokenizer(tokenizer)
    else:
        for argument, value in {"extract": extract, "strip": strip}.items():
            if value is not None:
                raise ValueError(
                    f"{argument} is {value!r}, which is for texts, but tokens is 'ids'; leave it "
                    "out."
                )
        tokenizer = find_tokenizer(tokenizer)
        chosen = choose_id_options(tokenizer, options)
    choices = {"extract": extract, "combine": combine, "weights": weights, "strip": strip}
    return Reward(score, chosen, reference=reference, tokenizer=tokenizer, name=name, **choices)


def make_verl_score(
    score: str | Sequence[str] = "rougeL",
    *,
    extract: str | Extract | None = None,
    combine: Combine | None = None,
    weights: Weights | None = None,
    strip: str | re.Pattern[str] | None = None,
    **options: "Unpack[TextRewardKeywords]",
) -> VerlScore:
    """Return a ``compute_score`` for the file that verl's ``custom_reward_function`` names.

    The arguments are those of :func:`make_reward`; verl hands over the references itself.

    >>> compute_score = make_verl_score("rouge1", extract="answer")
    >>> compute_score("news", "I think so. <answer>a cat sat</answer>", "the cat sat", None)
    0.6666666666666666
    """
    return VerlScore(score, options, extract=extract, combine=combine, weights=weights, strip=strip)


def make_openrlhf_reward(
    score: str | Sequence[str] = "rougeL",
    *,
    extract: str | Extract | None = None,
    combine: Combine | None = None,
    weights: Weights | None = None,
    strip: str | re.Pattern[str] | None = None,
    **options: "Unpack[TextRewardKeywords]",
) -> OpenRLHFReward:
    """Return a ``reward_func`` for the file that OpenRLHF's ``--remote_rm_url`` names.

    The arguments are those of :func:`make_reward`; OpenRLHF hands over the labels itself.
    """
    return OpenRLHFReward(
        score, options, extract=extract, combine=combine, weights=weights, strip=strip
    )
