"""Rewards for reinforcement learning, as TRL, verl and OpenRLHF call them.

Each maker returns a callable that scores completions against references: numbers from 0 to 1,
those of ``PairScorer``. It can be pickled if the functions among its options can. No library of
training is imported, but OpenRLHF gets tensors of torch.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..checks import check_choice
from ..extras import needs
from .reward_ids import IdReader, check_text_tokenizer, choose_id_options, make_id_reader
from .reward_scores import Combine, RewardScorer, Row, Weights, make_reward_scorer
from .reward_texts import (
    Extract,
    check_given,
    cut_prompts,
    list_references,
    make_extract,
    read_all,
    read_column,
    read_completion,
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


class _Named:
    """A callable with the name that logs show."""

    def __init__(self, scorer: RewardScorer) -> None:
        self._scorer = scorer
        self.__name__ = "_".join(re.sub(r"\W", "_", name) for name in scorer.names)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__!r} of {self._scorer.scorer!r}>"

    def _combine(self, rows: Sequence[Row]) -> list[float | None]:
        combine = self._scorer.combine_scores
        return [None if row is None else combine(row) for row in rows]


class Reward(_Named):
    """A reward function for TRL, created by :func:`make_reward`."""

    def __init__(self, scorer: RewardScorer, reference: str, ids: IdReader | None = None) -> None:
        super().__init__(scorer)
        self._reference = reference
        self._ids = ids

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
            texts: Sequence[Any] = read_all("completions", completions)
        else:
            texts = reader.read_completions(completion_ids)
        references: Sequence[Any] = read_column(name, columns, len(texts))
        if reader is not None:
            references = reader.read_references(name, references)
        return self._combine(self._scorer.score_all(name, texts, references))


class VerlScore(_Named):
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
        scorer = self._scorer
        if solution_strs is None:
            text = read_completion("solution_str", solution_str)
            return scorer.combine_scores(scorer.score_one("ground_truth", text, ground_truth))
        texts = read_all("solution_strs", solution_strs)
        references = list_references("ground_truths", ground_truths, len(texts))
        check_given("ground_truths", references)
        return self._combine(scorer.score_all("ground_truths", texts, references))


class OpenRLHFReward(_Named):
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
        texts = cut_prompts(read_all("queries", queries), read_all("prompts", prompts))
        references = list_references("labels", labels, len(texts))
        check_given("labels", references)
        rows = self._scorer.score_all("labels", texts, references)
        rewards = torch.tensor(self._combine(rows), dtype=torch.float32)
        parts = zip(*(row for row in rows if row is not None), strict=True)
        logs = zip(self._scorer.names, parts, strict=False)
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
            none), the name of another tag, or a function from the completion to a text.
        combine: ``harmonic`` (by default) or ``mean``, for several scores.
        weights: for the weighted mean of several scores: a mapping from the scores, or a sequence
            in their order.
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
        ValueError: a value is out of range, or the weights do not fit the scores.

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
    if check_choice("tokens", tokens, get_args(Tokens)) == "text":
        check_text_tokenizer(tokenizer)
        chosen: dict[str, Any] = {**options, "tokenizer": tokenizer}
        scorer = make_reward_scorer(score, make_extract(extract), combine, weights, chosen)
        return Reward(scorer, reference)
    if extract is not None:
        raise ValueError(
            f"extract is {extract!r}, which is for texts, but tokens is 'ids'; leave it out."
        )
    chosen = choose_id_options(tokenizer, options)
    scorer = make_reward_scorer(score, None, combine, weights, chosen)
    return Reward(scorer, reference, make_id_reader(tokenizer, scorer.scorer))


def make_verl_score(
    score: str | Sequence[str] = "rougeL",
    *,
    extract: str | Extract | None = None,
    combine: Combine | None = None,
    weights: Weights | None = None,
    **options: "Unpack[TextRewardKeywords]",
) -> VerlScore:
    """Return a ``compute_score`` for the file that verl's ``custom_reward_function`` names.

    The arguments are those of :func:`make_reward`; verl hands over the references itself.

    >>> compute_score = make_verl_score("rouge1", extract="answer")
    >>> compute_score("news", "I think so. <answer>a cat sat</answer>", "the cat sat", None)
    0.6666666666666666
    """
    return VerlScore(make_reward_scorer(score, make_extract(extract), combine, weights, options))


def make_openrlhf_reward(
    score: str | Sequence[str] = "rougeL",
    *,
    extract: str | Extract | None = None,
    combine: Combine | None = None,
    weights: Weights | None = None,
    **options: "Unpack[TextRewardKeywords]",
) -> OpenRLHFReward:
    """Return a ``reward_func`` for the file that OpenRLHF's ``--remote_rm_url`` names.

    The arguments are those of :func:`make_reward`; OpenRLHF hands over the labels itself.
    """
    scorer = make_reward_scorer(score, make_extract(extract), combine, weights, options)
    return OpenRLHFReward(scorer)
