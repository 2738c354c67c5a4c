"""Choose the candidate that scores best against references: best of n, the oracle of a system.

Not done here: choosing without references (``consensus.py``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arrays import first_best
from ...checks import is_sequence
from ...counting.pools import Ints
from ...families.base import Floats
from ...messages import describe_value, rename_arguments, value_error
from ...samples.arrow_texts import list_texts, read_stream
from ...samples.inputs import check_samples
from ...scoring.pair_scorer import PairScorer
from .groups import Groups, check_groups, check_same_count
from .scored_pool import find_base

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords


@dataclass(frozen=True, eq=False)
class BestCandidates:
    """The candidates that were chosen.

    Attributes:
        index: int64, shape (groups,); the candidate with the highest score in its group, the first
            one of equals.
        scores: the scores of the candidates of each group, float64; one array per group.
        texts: the candidate that was chosen of each group: a str, or a tuple of token ids.
    """

    index: Ints
    scores: list[Floats]
    texts: list[Any]


def select_best(
    groups: object, references: object, score: str = "bleu", **options: "Unpack[PairKeywords]"
) -> BestCandidates:
    """Choose the candidate with the highest score against its references, in each group.

    The scores are bit-identical to those of ``PairScorer``; by default to the ``sentence_bleu`` of
    sacrebleu 2.6.

    Args:
        groups: sequence of groups, each a sequence of candidate texts for one input; or of
            sequences of token ids with ``tokenizer="ids"``. If a group has one
            candidate, it is chosen.
        references: sequence of the same length; each item one text or a sequence of several, as for
            ``metric.compute``.
        score: a score of ``PairScorer``, such as ``bleu``, ``google_bleu`` or ``rougeL``.
        **options: the options of ``PairScorer``. BLEU is that of ``profile="sacrebleu"`` unless
            another profile is given.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: a group is empty, the lengths differ, or an input has no reference.

    >>> groups = [["a dog sat", "the cat sat"], ["no"]]
    >>> best = select_best(groups, ["the cat sat down", ["yes", "no"]], "rouge1")
    >>> best.texts, best.scores[0].round(4).tolist(), best.scores[1].tolist()
    (['the cat sat', 'no'], [0.2857, 0.8571], [1.0])
    """
    name, given = choose_profile(score, dict(options))
    if find_base(name) != name:
        raise value_error(
            "{score} is {!r}, but candidates may have several references",
            name,
            expected="expected a score without a part.",
        )
    scorer = PairScorer(name, **given)
    candidates = check_groups("groups", groups)
    targets = _list_references(candidates, references)
    owners = candidates.owners.tolist()
    try:
        scores = scorer.batch(candidates.texts, [targets[owner] for owner in owners])
    except (TypeError, ValueError) as error:
        places = {
            f"references[{index}]": f"references[{owner}]" for index, owner in enumerate(owners)
        }
        rename_arguments(error, places)
        candidates.rename_places(error, {"predictions": "groups"})
        raise
    index = first_best(scores, candidates.offsets) - candidates.offsets[:-1]
    return BestCandidates(index, candidates.split(scores), candidates.take(index))


def choose_profile(score: object, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the score that decides, and the options: those of sacrebleu for BLEU by default.

    Raises:
        TypeError: it is not one score.

    >>> choose_profile("bleu", {"smooth": "exp"})
    ('bleu', {'smooth': 'exp', 'profile': 'sacrebleu'})
    """
    if not isinstance(score, str):
        expected = "expected one score, such as 'bleu' or 'rougeL', which decides."
        raise TypeError(describe_value("score", repr(score), expected))
    # Without smoothing, which evaluate's bleu has not, most sentences score 0.
    if score == "bleu" and options.get("profile") is None:
        options = {**options, "profile": "sacrebleu"}
    return score, options


def _list_references(candidates: Groups, references: object) -> list[Any]:
    """Check the references, and return a list of those of each group."""
    references = read_stream(references)
    if isinstance(references, Iterator):
        references = list(references)
    if is_sequence(references):
        check_same_count("references", len(references), candidates.n_groups)  # type: ignore[arg-type]
    firsts = candidates.take(np.zeros(candidates.n_groups, dtype=np.int64))
    try:
        samples = check_samples(firsts, references)
    except (TypeError, ValueError) as error:
        rename_arguments(error, {"predictions": "groups"})
        raise
    texts, stops = list_texts(samples.references), samples.offsets.tolist()
    return [texts[start:stop] for start, stop in pairwise(stops)]
