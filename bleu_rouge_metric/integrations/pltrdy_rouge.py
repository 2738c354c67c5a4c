"""The classes that ``rouge`` and ``rouge-chinese`` have in common.

They return what the libraries return. Not done here: their errors for arguments of a wrong type,
which are those of this package, and their RecursionError: texts of any length are scored, with a
warning where the library could not.
"""

import io
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import starmap
from pathlib import Path
from typing import Any, ClassVar, Final, cast

import numpy as np

from ..checks import check_choice
from ..families.rouge_package.family import ARRAY
from ..families.rouge_package.types import NAMES, average, score_triple
from ..families.rouge_package.unscorable import has_no_sentence
from ..options.options import Options
from ..samples.inputs import Samples, check_samples
from ..scoring.counting import count_samples

_ROUGE: Final = ("rouge",)

Score = dict[str, Any]
Triple = tuple[int, int, int]


class PltrdyRouge:
    """ROUGE of pairs of texts.

    Attributes:
        metrics: names of the scores, ``rouge-1`` to ``rouge-5`` and ``rouge-l``.
        stats: keys of each score.
    """

    DEFAULT_METRICS: ClassVar[list[str]] = ["rouge-1", "rouge-2", "rouge-l"]
    AVAILABLE_METRICS: ClassVar[dict[str, str]] = {name: kind for kind, name in NAMES.items()}
    DEFAULT_STATS: ClassVar[list[str]] = ["r", "p", "f"]
    AVAILABLE_STATS: ClassVar[list[str]] = DEFAULT_STATS

    _profile: ClassVar[str]

    def __init__(
        self,
        metrics: Sequence[str] | None = None,
        stats: Sequence[str] | None = None,
        return_lengths: bool = False,  # noqa: FBT001, FBT002 - as in the library
        raw_results: bool = False,  # noqa: FBT001, FBT002
        exclusive: bool = True,  # noqa: FBT001, FBT002
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
        names = [name.lower() for name in self.DEFAULT_METRICS if metrics is None] or metrics or []
        self.metrics = [check_choice("metric", n.lower(), self.AVAILABLE_METRICS) for n in names]
        chosen = self.DEFAULT_STATS if stats is None else [name.lower() for name in stats]
        chosen = [check_choice("stat", name, self.AVAILABLE_STATS) for name in chosen]
        self.stats = ["hyp", "ref", "overlap"] if raw_results else chosen
        self.return_lengths, self.exclusive = return_lengths, exclusive

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
            refs: as many references, or one.
            avg: return the means over all pairs.
            ignore_empty: leave out pairs of which a text is ``""``.

        Returns:
            A list with a dict per pair: scores by metric and stat; with ``avg`` one dict.

        Raises:
            TypeError: a text is not a str.
            ValueError: a text has no sentence, or the numbers of texts differ.
        """
        ours, theirs = ([each] if isinstance(each, str) else list(each) for each in (hyps, refs))
        if ignore_empty and len(ours) == len(theirs):
            kept = [pair for pair in zip(ours, theirs, strict=True) if "" not in pair]
            ours, theirs = [ours for ours, _ in kept], [theirs for _, theirs in kept]
        if not ours and not theirs and not avg:
            return []
        scores = self._score(check_samples(ours, theirs))
        return _average(scores) if avg else scores

    def _score(self, samples: Samples) -> list[Score]:
        """Return the scores of each pair."""
        counting, count_pair = _make_plan(self._profile, tuple(self.metrics), bool(self.exclusive))
        split = counting.sentence_rules.split
        pairs = [(prediction, texts[0]) for prediction, texts in samples.by_sample()]
        for name, text in (
            each for pair in pairs for each in zip(("Hypothesis", "Reference"), pair)
        ):
            if has_no_sentence(text, split):
                raise ValueError(f"{name} is empty.")
        if len(pairs) == 1:
            # Fast path: equals the lines below. A pair of 20 words takes 11 µs instead of 480.
            rows = [count_pair(pairs[0][0], [pairs[0][1]])]
        else:
            plan = Options.from_keywords({"profile": self._profile}, _ROUGE).plan(_ROUGE)
            plan = plan.replace_scores({counting.name: counting})
            rows = count_samples(samples, plan)[ARRAY].tolist()
        scores = [dict(zip(self.metrics, starmap(self._pack, row), strict=True)) for row in rows]
        if self.return_lengths:
            for score, texts in zip(scores, pairs, strict=True):
                words = [sum(map(len, map(str.split, split(text)))) for text in texts]
                score["lengths"] = dict(zip(("hyp", "ref"), words, strict=True))
        return scores

    def _pack(self, hits: int, predicted: int, referred: int) -> Score:
        """Return the numbers of a metric by stat."""
        precision, recall, fmeasure = score_triple(hits, predicted, referred)
        parts = {"r": recall, "p": precision, "f": fmeasure}
        parts |= {"hyp": predicted, "ref": referred, "overlap": hits}
        return {stat: parts[stat] for stat in self.stats}


def _average(scores: list[Score]) -> Score:
    """Return the means over all pairs."""
    return {
        metric: {
            stat: average(np.array([score[metric][stat] for score in scores])) for stat in stats
        }
        for metric, stats in scores[0].items()
    }


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
        hyp_path: str | os.PathLike[str],
        ref_path: str | os.PathLike[str],
        avg: bool = False,  # noqa: FBT001, FBT002
        ignore_empty: bool = False,  # noqa: FBT001, FBT002
    ) -> Any:
        """Score each line of a file of predictions with that of a file of references."""
        # Parity: FilesRouge.get_scores cuts off the last character of each line, whatever it is.
        hyps, refs = (
            [line[:-1] for line in io.StringIO(Path(path).read_text("utf-8"))]
            for path in (hyp_path, ref_path)
        )
        return self.rouge.get_scores(hyps, refs, avg=avg, ignore_empty=ignore_empty)


# Few programs have several lists of metrics.
@lru_cache(maxsize=16)
def _make_plan(
    profile: str, metrics: tuple[str, ...], exclusive: bool
) -> tuple[Any, Callable[[str, list[str]], list[Triple]]]:
    """Return what is counted, and the count of single pairs."""
    keywords = {"profile": profile, "rouge_types": metrics, "exclusive": exclusive}
    plan = Options.from_keywords(keywords, _ROUGE).plan(_ROUGE)
    (counting,) = cast("Any", plan.scores.values())
    return counting, counting.prepare_counts()
