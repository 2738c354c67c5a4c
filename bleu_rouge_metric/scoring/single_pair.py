"""Score a batch of one sample by the fast path of ``PairScorer``.

The results are those of ``results.py``. Samples that may trigger a warning use the slow path.
"""

from collections.abc import Container, Sequence
from typing import NamedTuple

from ..families.score import PairResult, ScoreWarning
from ..options.options import Options
from ..options.plans import Plan
from ..options.profiles import Family
from ..options.table import OPTIONS
from ..samples.text_types import find_list_as_text
from ..text.empty_texts import MISSING_VALUES
from .results import Value


class SinglePair(NamedTuple):
    """The fast path of each family, and what finds scores that mislead."""

    families: tuple[PairResult, ...]
    warnings: tuple[ScoreWarning, ...]

    def score(
        self, prediction: str, references: list[str], warned: Container[str]
    ) -> dict[str, Value] | None:
        """Return what ``score_counts`` does for one sample; None for the slow path.

        Args:
            prediction: of the sample.
            references: of the sample.
            warned: names of the warnings that were given.
        """
        result: dict[str, Value] = {}
        for score_family in self.families:
            values = score_family(prediction, references)
            if values is None:
                return None
            result |= values
        for name, applies, _ in self.warnings:
            if name not in warned and applies(result):
                return None
        return result


def find_single_pair(options: Options, families: Sequence[Family]) -> SinglePair | None:
    """Return the fast path for some options, prepared once; None if there is none."""
    key = "single pair", *families
    found: SinglePair | None = options.keep(key, lambda: _prepare(options.plan(families)))
    return found


def read_pair(predictions: object, references: object) -> tuple[str, list[str]] | None:
    """Return the only sample of lists of plain texts; None if there are others.

    Texts beyond ASCII may be of scripts that the options do not suit, which is warned of. Others
    may not be what their user means: a missing value, a list, one character per line.
    """
    if type(predictions) is not list or type(references) is not list:
        return None
    if len(predictions) != 1 or len(references) != 1:
        return None
    prediction, reference = predictions[0], references[0]
    texts = reference if type(reference) is list else [reference]
    for text in (prediction, *texts):
        if (
            type(text) is not str
            or not text.isascii()
            or (len(text) < 5 and text in MISSING_VALUES)
            or ("\n" in text and text[1:2] == "\n")
            or ("[" in text and find_list_as_text((text,)) is not None)
        ):
            return None
    return (prediction, texts) if texts else None


def _prepare(plan: Plan) -> SinglePair | None:
    output = plan.output
    # A number of resamples without resampling is warned of.
    default = OPTIONS["n_resamples"].default
    if plan.is_resampled or output.n_resamples != default or not output.use_aggregator:
        return None
    if output.signature:
        return None
    families: list[PairResult] = []
    for family in plan.scores.values():
        score_pair = family.pair_result(output)
        if score_pair is None:
            return None
        families.append(score_pair)
    return SinglePair(tuple(families), plan.warnings)
