"""Rewards for reinforcement learning, as TRL, verl and OpenRLHF call them.

Each maker returns a callable that scores completions against references: numbers from 0 to 1,
those of ``PairScorer``. It can be pickled if the functions among its options can. No library of
training is imported, but OpenRLHF gets tensors of torch.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from ..checks import check_choice, check_number, is_sequence
from ..extras import needs
from ..messages import rename_arguments
from ..options.options import Options
from ..options.profiles import find_profile
from ..scoring.pair_scorer import PairScorer
from ..text.strip import compile_strip, strip_texts
from .completions import (
    Extract,
    IdReader,
    check_text_tokenizer,
    choose_id_options,
    cut_prompts,
    find_tokenizer,
    make_extract,
    read_column,
    read_completion,
    read_completions,
    read_references,
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
_MakeReader = Callable[[Options], IdReader]
_PERCENT: Final = 100.0


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
        self._is_single = isinstance(score, str)
        names: tuple[str, ...] = (score,) if isinstance(score, str) else tuple(self._scorer.score)
        self._names = names
        if combine is not None:
            check_choice("combine", combine, get_args(Combine))
            if weights is not None:
                raise ValueError(
                    "combine and weights are given; expected one of them. weights makes a "
                    "weighted mean."
                )
        self._is_mean = combine == "mean"
        self._weights = None if weights is None else _check_weights(weights, names)
        self._strip = None if strip is None else compile_strip(strip)
        # The places of scores that the scorer gives from 0 to 100.
        is_percent = find_profile(self._scorer.options.profile).percentages
        self._percents = [i for i, name in enumerate(names) if is_percent and name == "bleu"]
        if name is not None and (not isinstance(name, str) or not name):
            raise TypeError(f"name is {name!r}; expected a str, such as 'short_answers'.")
        self.__name__ = name or "_".join(re.sub(r"\W", "_", each) for each in names)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__!r} of {self._scorer!r}>"

    def _score_one(self, place: str, text: Any, reference: Any) -> _Row:
        """Return the scores of a prepared completion; ``place`` names the reference in errors."""
        try:
            found = self._scorer(text, reference)
        except (TypeError, ValueError) as error:
            rename_arguments(error, {"references": place})
            raise
        return self._scale((found,) if self._is_single else found)

    def _score_all(
        self, name: str, texts: Sequence[Any], references: Sequence[Any]
    ) -> list[_Row | None]:
        """Return the scores of each completion, a text or token ids; None if its reference is."""
        rows: list[_Row | None] = [None] * len(texts)
        pairs = {
            index: (self._prepare(text), self._prepare_reference(reference))
            for index, (text, reference) in enumerate(zip(texts, references, strict=True))
            if reference is not None
        }
        if not pairs:
            return rows
        try:
            found = self._scorer.batch(*map(list, zip(*pairs.values(), strict=True)))
        except (TypeError, ValueError):
            # One of them is at fault; alone it raises the error with its place.
            for index, (text, reference) in pairs.items():
                self._score_one(f"{name}[{index}]", text, reference)
            raise
        arrays = (found,) if self._is_single else found
        scores = zip(*(array.tolist() for array in arrays), strict=True)
        for index, row in zip(pairs, scores, strict=True):
            rows[index] = self._scale(row)
        return rows

    def _prepare(self, text: Any) -> Any:
        """Return what is scored of a completion."""
        if self._strip is not None:
            (text,) = strip_texts([text], self._strip)
        if self._extract is None:
            return text
        extracted: object = self._extract(text)
        if not isinstance(extracted, str):
            raise TypeError(
                f"extract returned {type(extracted).__name__} for a completion; expected a str, "
                "empty if it has no answer."
            )
        return extracted

    def _prepare_reference(self, reference: Any) -> Any:
        """Return what is scored of one reference or several; other types are errors later."""
        if self._strip is None:
            return reference
        if isinstance(reference, str):
            return strip_texts([reference], self._strip)[0]
        return [*map(self._prepare_reference, reference)] if is_sequence(reference) else reference

    def _scale(self, scores: _Row) -> _Row:
        """Return scores from 0 to 1."""
        if not self._percents:
            return scores
        percents = self._percents
        return tuple(s / _PERCENT if i in percents else s for i, s in enumerate(scores))

    def _combine(self, scores: _Row) -> float:
        """Return one number of the scores; the order of the operations is part of the contract."""
        if self._weights is not None:
            products = (w * score for w, score in zip(self._weights, scores, strict=True))
            return _add(products) / _add(self._weights)
        if len(scores) == 1:
            return scores[0]
        if self._is_mean:
            return _add(scores) / len(scores)
        if not min(scores) > 0:
            return 0.0
        if len(scores) == 2:
            first, second = scores
            return 2 * first * second / (first + second)
        return len(scores) / _add(1 / score for score in scores)

    def _combine_all(self, rows: Sequence[_Row | None]) -> list[float | None]:
        return [None if row is None else self._combine(row) for row in rows]


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


class Reward(_Scores):
    """A reward function for TRL, created by :func:`make_reward`."""

    def __init__(
        self,
        score: str | Sequence[str],
        options: Mapping[str, Any],
        *,
        reference: str,
        make_reader: _MakeReader | None = None,
        **choices: Any,
    ) -> None:
        super().__init__(score, options, **choices)
        self._reference = reference
        self._ids = None if make_reader is None else make_reader(self._scorer.options)

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
        name, reader = self._reference, self._ids
        if reader is None:
            texts: Sequence[Any] = read_completions("completions", completions)
        else:
            texts = reader.read_completions(completion_ids)
        references: Sequence[Any] = read_column(name, columns, len(texts))
        if reader is not None:
            references = reader.read_references(name, references)
        return self._combine_all(self._score_all(name, texts, references))


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
        if solution_strs is None:
            text = self._prepare(read_completion("solution_str", solution_str))
            reference = self._prepare_reference(ground_truth)
            return self._combine(self._score_one("ground_truth", text, reference))
        texts = read_completions("solution_strs", solution_strs)
        references = read_references("ground_truths", ground_truths, len(texts))
        return self._combine_all(self._score_all("ground_truths", texts, references))


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
        rows = self._score_all("labels", texts, references)
        rewards = torch.tensor(self._combine_all(rows), dtype=torch.float32)
        parts = zip(*(row for row in rows if row is not None), strict=True)
        logs = zip(self._names, parts, strict=False)
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
            processor of the model: it tokenizes references that are texts, each once, and names the
            special tokens, which are left out. If it has no end-of-sequence token, only ``eos``
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
    make_reader = None
    if check_choice("tokens", tokens, get_args(Tokens)) == "text":
        check_text_tokenizer(tokenizer)
        chosen: dict[str, Any] = {**options, "tokenizer": tokenizer}
    else:
        for argument, value in {"extract": extract, "strip": strip}.items():
            if value is not None:
                raise ValueError(
                    f"{argument} is {value!r}, which is for texts, but tokens is 'ids'; leave it "
                    "out."
                )
        chosen = choose_id_options(tokenizer, options)
        make_reader = partial(IdReader, find_tokenizer(tokenizer))
    return Reward(
        *(score, chosen),
        reference=reference,
        make_reader=make_reader,
        extract=extract,
        combine=combine,
        weights=weights,
        strip=strip,
        name=name,
    )


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
