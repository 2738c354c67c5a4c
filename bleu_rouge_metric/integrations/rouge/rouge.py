"""The classes ``Rouge`` and ``FilesRouge`` of ``rouge.rouge``."""

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from ...checks import check_choice
from ...families.rouge_package.family import ARRAY
from ...families.rouge_package.types import (
    NAMES,
    average,
    has_no_sentence,
    score_triple,
    score_triples,
)
from ...options.options import Options
from ...options.plans import Plan
from ...samples.inputs import Samples
from ...scoring.counting import count_samples

_ROUGE: Final = ("rouge",)


class Rouge:
    """ROUGE of pairs of texts.

    Attributes:
        metrics: names of the scores, ``rouge-1`` to ``rouge-5`` and ``rouge-l``.
        stats: keys of each score.

    >>> Rouge(["rouge-l"]).get_scores("the cat", "the cat sat")
    [{'rouge-l': {'r': 0.6666666666666666, 'p': 1.0, 'f': 0.7999999952000001}}]
    """

    DEFAULT_METRICS: ClassVar[list[str]] = ["rouge-1", "rouge-2", "rouge-l"]
    AVAILABLE_METRICS: ClassVar[dict[str, str]] = {name: kind for kind, name in NAMES.items()}
    DEFAULT_STATS: ClassVar[list[str]] = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar[list[str]] = DEFAULT_STATS

    _profile: ClassVar[str] = "rouge"

    def __init__(
        self,
        metrics: Sequence[str] | None = None,
        stats: Sequence[str] | None = None,
        return_lengths: bool = False,
        raw_results: bool = False,
        exclusive: bool = True,
    ) -> None:
        """Check the names; raise ValueError if one is unknown.

        Args:
            metrics: names of scores, in any case; None for ``DEFAULT_METRICS``.
            stats: ``r``, ``p`` and ``f``, or some of them; None for all.
            return_lengths: add the numbers of words under ``lengths``.
            raw_results: return ``hyp``, ``ref`` and ``overlap``: the totals of both texts, and what
                matches.
            exclusive: count each distinct n-gram of a text once.
        """
        metrics = self.DEFAULT_METRICS if metrics is None else [name.lower() for name in metrics]
        stats = self.DEFAULT_STATS if stats is None else [name.lower() for name in stats]
        self.metrics = [check_choice("metric", one, self.AVAILABLE_METRICS) for one in metrics]
        self.stats = [check_choice("stat", one, self.AVAILABLE_STATS) for one in stats]
        self.return_lengths, self.raw_results = return_lengths, raw_results
        self.exclusive = exclusive

    def get_scores(
        self,
        hyps: str | Sequence[str],
        refs: str | Sequence[str],
        avg: bool = False,
        ignore_empty: bool = False,
    ) -> Any:
        """Score each prediction with its reference.

        Args:
            hyps: predictions, or one.
            refs: as many references, or one.
            avg: return the means over all pairs.
            ignore_empty: leave out pairs of which a text is ``""``.

        Returns:
            A list with a dict per pair: scores by metric and stat; with ``avg`` one dict.

        Raises:
            TypeError: a text is not a str.
            ValueError: a text has no sentence, the numbers of texts differ, or there is no pair for
                a mean.
        """
        ours, theirs = ([side] if isinstance(side, str) else list(side) for side in (hyps, refs))
        if len(ours) != len(theirs):
            lengths = f"{len(ours)} and {len(theirs)}"
            raise ValueError(f"The lengths of hyps and refs differ: {lengths}.")
        if ignore_empty:
            kept = [pair for pair in zip(ours, theirs, strict=True) if "" not in pair]
            ours, theirs = [hyp for hyp, _ in kept], [ref for _, ref in kept]
        plan = _make_plan(self._profile, tuple(self.metrics), exclusive=bool(self.exclusive))
        for name, texts in (("Hypothesis", ours), ("Reference", theirs)):
            for text in texts:
                if not isinstance(text, str):
                    raise TypeError(f"{name} is {text!r}; expected a str.")
                if self.metrics and has_no_sentence(text, plan.split):
                    raise ValueError(f"{name} is empty.")
        return self._average(ours, theirs, plan) if avg else self._list(ours, theirs, plan)

    def _list(self, hyps: list[str], refs: list[str], plan: "_Plan") -> list[dict[str, Any]]:
        """Return the scores of each pair."""
        scores: list[dict[str, Any]] = [{} for _ in hyps]
        if len(hyps) == 1 and self.metrics:
            # Fast path: equals the lines below. A pair of 20 words takes 11 µs instead of 480.
            for name, one in zip(plan.names, plan.count_pair(hyps[0], refs), strict=True):
                scores[0][name] = self._pack(one, score_triple(*one))
        else:
            for name, parts in self._score(hyps, refs, plan).items():
                columns = {stat: numbers.tolist() for stat, numbers in parts.items()}
                for index, score in enumerate(scores):
                    score[name] = {stat: column[index] for stat, column in columns.items()}
        if self.return_lengths:
            for score, hyp, ref in zip(scores, hyps, refs, strict=True):
                score["lengths"] = {"hyp": plan.count_words(hyp), "ref": plan.count_words(ref)}
        return scores

    def _average(self, hyps: list[str], refs: list[str], plan: "_Plan") -> dict[str, Any]:
        """Return the means over all pairs."""
        if not hyps:
            raise ValueError("hyps is empty; expected at least one pair.")
        scores = {
            # Parity: the library adds the scores of a metric as often as it is named.
            name: {
                stat: average(np.repeat(numbers, self.metrics.count(name)), len(hyps))
                for stat, numbers in parts.items()
            }
            for name, parts in self._score(hyps, refs, plan).items()
        }
        if self.return_lengths:
            sides = (("hyp", hyps), ("ref", refs))
            scores["lengths"] = {
                name: sum(map(plan.count_words, side)) / len(side) for name, side in sides
            }
        return scores

    def _score(self, hyps: list[str], refs: list[str], plan: "_Plan") -> dict[str, dict[str, Any]]:
        """Return the numbers of all pairs by metric and stat, arrays of shape (pairs,)."""
        if not (hyps and self.metrics):
            return {}
        samples = Samples(hyps, refs, np.arange(len(hyps) + 1, dtype=np.int64))
        counts = count_samples(samples, plan.counting)[ARRAY]
        triples = zip(plan.names, counts.swapaxes(0, 1), strict=True)
        return {name: self._pack(one.T, score_triples(one)) for name, one in triples}

    def _pack(self, triple: Any, scores: Any) -> dict[str, Any]:
        """Return the counts or the scores by stat."""
        if self.raw_results:
            hits, predicted, referred = triple
            return {"hyp": predicted, "ref": referred, "overlap": hits}
        precision, recall, fmeasure = scores
        parts = {"r": recall, "p": precision, "f": fmeasure}
        return {stat: parts[stat] for stat in self.stats}


class FilesRouge:
    """ROUGE of the lines of two files.

    Attributes:
        rouge: what scores the lines.
    """

    _rouge: ClassVar[type[Rouge]] = Rouge

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of ``Rouge``."""
        self.rouge = self._rouge(*args, **kwargs)

    def get_scores(
        self,
        hyp_path: str | bytes | os.PathLike[Any],
        ref_path: str | bytes | os.PathLike[Any],
        avg: bool = False,
        ignore_empty: bool = False,
    ) -> Any:
        """Score each line of a file of predictions with that of a file of references."""
        sides: list[list[str]] = []
        for path in (hyp_path, ref_path):
            with Path(os.fsdecode(path)).open(encoding="utf-8") as file:
                # Parity: the library cuts off the last character of each line, whatever it is.
                sides.append([line[:-1] for line in file])
        hyps, refs = sides
        return self.rouge.get_scores(hyps, refs, avg, ignore_empty)


class _Plan(NamedTuple):
    """Metrics, each once; what is counted; functions for the sentences and the counts of a pair."""

    names: Sequence[str]
    counting: Plan
    split: Callable[[str], list[str]]
    count_pair: Callable[[str, list[str]], list[tuple[int, int, int]]]

    def count_words(self, text: str) -> int:
        """Return the number of words."""
        return sum(len(part.split()) for part in self.split(text))


# Few programs have several lists of metrics.
@lru_cache(maxsize=16)
def _make_plan(profile: str, metrics: tuple[str, ...], *, exclusive: bool) -> _Plan:
    types = [Rouge.AVAILABLE_METRICS[name] for name in metrics or Rouge.DEFAULT_METRICS]
    keywords = {"profile": profile, "rouge_types": types, "exclusive": exclusive}
    counting = Options.from_keywords(keywords, _ROUGE).plan(_ROUGE)
    part: Any = next(iter(counting.scores.values()))
    count_pair: Any = part.prepare_counts()
    return _Plan(tuple(dict.fromkeys(metrics)), counting, part.sentence_rules.split, count_pair)
