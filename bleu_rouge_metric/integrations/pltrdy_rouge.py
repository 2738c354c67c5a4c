"""The classes that ``rouge`` and ``rouge-chinese`` have in common.

They return what the libraries return, and raise errors of the same types, except for
RecursionError: texts of any length are scored, with a warning where the library could not. The
values of ``AVAILABLE_METRICS`` are names of ROUGE types; in the libraries they are functions.
"""

import os
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from ..families.pltrdy.counting import ARRAY, PltrdyCounting
from ..families.pltrdy.formula import average, score_triple, score_triples
from ..families.pltrdy.pairs import CountPair, prepare_counts
from ..families.pltrdy.types import NAMES
from ..families.pltrdy.unscorable import has_no_sentence
from ..options.options import Options
from ..options.plans import CountPlan
from ..samples.inputs import Samples
from ..scoring.counting import count_samples
from ..text.full_stops import SentenceRules

# The keys of a score, each with the name of its part.
_PARTS = {"r": "recall", "p": "precision", "f": "fmeasure"}
_RAW = ["hyp", "ref", "overlap"]

Score = dict[str, Any]


class _Plan(NamedTuple):
    """What is counted for some metrics.

    Attributes:
        metrics: each once.
        counting: of batches.
        count_pair: of single pairs.
    """

    metrics: tuple[str, ...]
    counting: CountPlan
    count_pair: CountPair


class PltrdyRouge:
    """ROUGE of pairs of texts.

    Attributes:
        metrics: names of the scores, ``rouge-1`` to ``rouge-5`` and ``rouge-l``.
        stats: keys of each score.
        return_lengths: whether results have the numbers of words.
        raw_results: whether results have counts, not scores.
        exclusive: whether each distinct n-gram of a text counts once.
    """

    DEFAULT_METRICS: ClassVar[list[str]] = ["rouge-1", "rouge-2", "rouge-l"]
    AVAILABLE_METRICS: ClassVar[dict[str, str]] = {name: kind for kind, name in NAMES.items()}
    DEFAULT_STATS: ClassVar[list[str]] = [*_PARTS]
    AVAILABLE_STATS: ClassVar[list[str]] = [*_PARTS]

    _profile: ClassVar[str]
    _rules: ClassVar[SentenceRules]
    # What the library raises for an object that is neither a str nor bytes.
    _wrong_type: ClassVar[type[Exception]]

    def __init__(
        self,
        metrics: Sequence[str] | None = None,
        stats: Sequence[str] | None = None,
        return_lengths: bool = False,  # noqa: FBT001, FBT002 - as in the library
        raw_results: bool = False,  # noqa: FBT001, FBT002
        exclusive: bool = True,  # noqa: FBT001, FBT002
    ) -> None:
        """Check the names.

        Args:
            metrics: names of scores, in any case; None for ``DEFAULT_METRICS``.
            stats: ``r``, ``p`` and ``f``, or some of them; None for all.
            return_lengths: add the numbers of words under ``lengths``.
            raw_results: return ``hyp``, ``ref`` and ``overlap``: the totals of both texts, and what
                matches.
            exclusive: count each distinct n-gram of a text once.

        Raises:
            ValueError: a name is unknown.
        """
        self.return_lengths = return_lengths
        self.raw_results = raw_results
        self.exclusive = exclusive
        self.metrics = _check_names("metric", metrics, self.AVAILABLE_METRICS, self.DEFAULT_METRICS)
        self.stats = _RAW
        if not raw_results:
            self.stats = _check_names("stat", stats, self.AVAILABLE_STATS, self.DEFAULT_STATS)

    def get_scores(
        self,
        hyps: str | Sequence[str],
        refs: str | Sequence[str],
        avg: bool = False,  # noqa: FBT001, FBT002
        ignore_empty: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Score each prediction with its reference.

        Args:
            hyps: predictions, or one.
            refs: references, in a sequence of the same type and length.
            avg: return the means over all pairs.
            ignore_empty: leave out pairs of which a text is ``""``.

        Returns:
            A list with a dict per pair: scores by metric and stat; with ``avg`` one dict.

        Raises:
            AssertionError: the sequences differ in type or length.
            AttributeError: a text is neither a str nor bytes.
            KeyError: ``avg`` with ``raw_results``, or a name in ``metrics`` that was set later is
                unknown.
            TypeError: a text is bytes, or ``ignore_empty`` and a text has no length; with
                ``rouge_chinese`` also in place of AttributeError.
            ValueError: a text has no sentence.
            ZeroDivisionError: ``avg`` of no pair.
        """
        if isinstance(hyps, str):
            hyps, refs = [hyps], [cast("str", refs)]
        if ignore_empty:
            hyps, refs = zip(
                *[pair for pair in zip(hyps, refs, strict=False) if all(map(len, pair))],
                strict=True,
            )
        # Parity: the library asserts, and so do those who catch its errors expect.
        if not isinstance(hyps, type(refs)) or len(hyps) != len(refs):
            raise AssertionError
        return self._average(hyps, refs) if avg else self._list(hyps, refs)

    def _list(self, hyps: Sequence[str], refs: Sequence[str]) -> list[Score]:
        """Return the scores of each pair."""
        if len(hyps) == 1 and self.metrics:
            (hyp,), (ref,) = hyps, refs
            if isinstance(hyp, str) and isinstance(ref, str):
                return [self._score_one(hyp, ref)]
        columns = self._score(hyps, refs, raw=self.raw_results)
        scores: list[Score] = [{} for _ in hyps]
        for metric, parts in columns.items():
            rows = zip(*(parts[stat].tolist() for stat in self.stats), strict=True)
            for score, row in zip(scores, rows, strict=False):
                score[metric] = dict(zip(self.stats, row, strict=True))
            if not self.stats:
                for score in scores:
                    score[metric] = {}
        if self.return_lengths:
            for score, hyp, ref in zip(scores, *self._count_words(hyps, refs), strict=True):
                score["lengths"] = {"hyp": hyp, "ref": ref}
        return scores

    def _score_one(self, hyp: str, ref: str) -> Score:
        """Return the scores of a pair."""
        # Fast path: equals the rest of ``_list``. A pair of 20 words takes 11 µs instead of 480
        # (bench/pltrdy.py).
        self._check_sentences(hyp, ref)
        plan = _make_plan(self._profile, tuple(self.metrics), exclusive=bool(self.exclusive))
        triples = plan.count_pair(hyp, [ref])
        score: Score = {}
        for metric, (hits, predicted, referred) in zip(plan.metrics, triples, strict=True):
            parts: Score = {"hyp": predicted, "ref": referred, "overlap": hits}
            if not self.raw_results:
                precision, recall, fmeasure = score_triple(hits, predicted, referred)
                parts = {"r": recall, "p": precision, "f": fmeasure}
            score[metric] = {stat: parts[stat] for stat in self.stats}
        if self.return_lengths:
            (ours,), (theirs,) = self._count_words([hyp], [ref])
            score["lengths"] = {"hyp": ours, "ref": theirs}
        return score

    def _average(self, hyps: Sequence[str], refs: Sequence[str]) -> Score:
        """Return the means over all pairs."""
        if _RAW[0] in self.stats and self.metrics and len(hyps):
            # Parity: the library has no counts here. The error of an empty text comes first.
            self._check_texts(hyps[:1], refs[:1])
            raise KeyError(_RAW[0])
        columns = self._score(hyps, refs, raw=False)
        scores: Score = {
            metric: {stat: self._divide(columns, metric, stat, len(hyps)) for stat in self.stats}
            for metric in self.metrics
        }
        if self.return_lengths:
            ours, theirs = self._count_words(hyps, refs)
            scores["lengths"] = {"hyp": sum(ours) / len(hyps), "ref": sum(theirs) / len(hyps)}
        return scores

    def _divide(self, columns: dict[str, Score], metric: str, stat: str, count: int) -> float:
        """Return the mean of a column; raise ZeroDivisionError for no pair."""
        if not columns:
            return 0 / count
        # Parity: the library adds the scores of a metric as often as it is named.
        return average(np.repeat(columns[metric][stat], self.metrics.count(metric)), count)

    def _score(self, hyps: Sequence[str], refs: Sequence[str], *, raw: bool) -> dict[str, Score]:
        """Return an array per metric and stat, shape (pairs,).

        The errors are those of ``get_scores``.
        """
        self._check_texts(hyps, refs)
        if not len(hyps) or not self.metrics:
            return {}
        samples = Samples([*hyps], [*refs], np.arange(len(hyps) + 1, dtype=np.int64))
        plan = _make_plan(self._profile, tuple(self.metrics), exclusive=bool(self.exclusive))
        counts = count_samples(samples, plan.counting)[ARRAY]
        columns: dict[str, Score] = {}
        for name, triples in zip(plan.metrics, counts.swapaxes(0, 1), strict=True):
            if raw:
                hits, predicted, referred = triples.T
                columns[name] = {"hyp": predicted, "ref": referred, "overlap": hits}
            else:
                scores = score_triples(triples)._asdict()
                columns[name] = {key: scores[part] for key, part in _PARTS.items()}
        return columns

    def _check_texts(self, hyps: Sequence[str], refs: Sequence[str]) -> None:
        """Raise an error of the library's type if a text is not a str or has no sentence."""
        for index, (hyp, ref) in enumerate(zip(hyps, refs, strict=True)):
            if not (isinstance(hyp, str) and isinstance(ref, str)):
                name, text = ("refs", ref) if isinstance(hyp, str) else ("hyps", hyp)
                error = TypeError if isinstance(text, bytes | bytearray) else self._wrong_type
                raise error(f"{name}[{index}] is of type {type(text).__name__}; expected a str.")
            if self.metrics:
                self._check_sentences(hyp, ref)

    def _check_sentences(self, hyp: str, ref: str) -> None:
        """Raise the library's ValueError if a text has no sentence."""
        for name, text in (("Hypothesis", hyp), ("Reference", ref)):
            if has_no_sentence(text, self._rules.split):
                if self.metrics[0] == NAMES["rougeL"]:
                    raise ValueError("Collections must contain at least 1 sentence.")
                raise ValueError(f"{name} is empty.")

    def _count_words(self, *sides: Sequence[str]) -> list[list[int]]:
        """Return how many words each text has; a blank sentence has none."""
        split = self._rules.split
        return [[sum(len(part.split()) for part in split(text)) for text in side] for side in sides]


class PltrdyFiles:
    """ROUGE of the lines of two files.

    Attributes:
        rouge: what scores the lines.
    """

    _rouge: ClassVar[type[PltrdyRouge]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of ``Rouge``."""
        self.rouge = self._rouge(*args, **kwargs)

    def get_scores(
        self,
        hyp_path: str | bytes | os.PathLike[Any],
        ref_path: str | bytes | os.PathLike[Any],
        avg: bool = False,  # noqa: FBT001, FBT002
        ignore_empty: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Score each line of a file of predictions with that of a file of references.

        The last line loses its last character if it does not end with a newline, as in the
        libraries.

        Raises:
            AssertionError: a file is missing, or they differ in their numbers of lines.
        """
        paths = Path(os.fsdecode(hyp_path)), Path(os.fsdecode(ref_path))
        if not all(path.is_file() for path in paths):
            raise AssertionError
        if len({_count_lines(path) for path in paths}) > 1:
            raise AssertionError
        hyps, refs = map(_read_lines, paths)
        return self.rouge.get_scores(hyps, refs, avg=avg, ignore_empty=ignore_empty)


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file)


def _read_lines(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as file:
        # Parity: FilesRouge.get_scores cuts off the last character, whatever it is.
        return [line[:-1] for line in file]


# Few programs have several lists of metrics.
@lru_cache(maxsize=16)
def _make_plan(profile: str, metrics: tuple[str, ...], *, exclusive: bool) -> _Plan:
    """Return what is counted; raise KeyError for an unknown metric."""
    types = [PltrdyRouge.AVAILABLE_METRICS[name] for name in metrics]
    keywords = {"profile": profile, "rouge_types": types, "exclusive": exclusive}
    counting = Options.from_keywords(keywords, ("rouge",)).plan(("rouge",)).counting
    (part,) = counting.parts.values()
    count = prepare_counts(cast("PltrdyCounting", part))
    return _Plan(tuple(dict.fromkeys(metrics)), counting, cast("CountPair", count))


def _check_names(
    kind: str, given: Sequence[str] | None, known: Collection[str], default: list[str]
) -> list[str]:
    """Return names in lower case.

    Raises:
        ValueError: one is unknown.
    """
    if given is None:
        return default
    names = [name.lower() for name in given]
    for name in names:
        if name not in known:
            raise ValueError(f"Unknown {kind} '{name}'")
    return names
