"""Choose the candidate that scores best against references, or agrees most with other samples.

``select_best`` is best of n, the oracle of a system. ``select_consensus`` is minimum Bayes risk
decoding: the expected score of a candidate is its mean score against pseudo-references, such as
other samples of the model. mbrs 0.1.8 computes the same (``DecoderMBR``), but rounds scores and
means to float32.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arrays import first_best, to_offsets
from ...checks import check_flag, check_number, is_sequence
from ...counting.pools import Ints
from ...families.score import Floats
from ...messages import Argument, describe_value, rename_arguments, value_error
from ...samples.arrow_texts import list_texts, read_stream
from ...samples.inputs import check_samples
from ...samples.items import read_items
from ...scoring.pair_scorer import PairScorer
from .groups import Groups, check_groups, check_same_count
from .pool import ScoredPool, find_base, split_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import PairKeywords, TextRewardKeywords


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


@dataclass(frozen=True, eq=False)
class Consensus:
    """The candidates that were chosen.

    Attributes:
        index: int64, shape (groups,); the candidate with the highest expected score in its group,
            the first one of equals.
        expected: the expected scores of the candidates of each group, float64.
        matrices: the scores of each group, float64, shape (candidates, references); None if they
            were not asked for.
        texts: the candidate that was chosen of each group: a str, or a tuple of token ids.
    """

    index: Ints
    expected: list[Floats]
    matrices: list[Floats] | None
    texts: list[Any]


def select_best(
    groups: object, references: object, score: str = "bleu", **options: "Unpack[PairKeywords]"
) -> BestCandidates:
    """Choose the candidate with the best score, BLEU from 0 to 1 and smoothed, in each group.

    The scores, against the references of the group, are bit-identical to those of ``PairScorer``.

    Args:
        groups: sequence of groups, each a sequence of candidate texts for one input; or of
            sequences of token ids with ``tokenizer="ids"``. If a group has one
            candidate, it is chosen.
        references: sequence of the same length; each item one text or a sequence of several, as for
            ``metric.compute``.
        score: a score of ``PairScorer``, such as ``bleu``, ``google_bleu`` or ``rougeL``.
        **options: the options of ``PairScorer``. BLEU is that of ``PairScorer``, with
            ``smooth="exp"`` and ``effective_order=True`` unless they or a profile are given,
            because most sentences score 0 without smoothing. ``profile="sacrebleu"`` gives
            sacrebleu's ``sentence_bleu``, from 0 to 100.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: a group is empty, the lengths differ, or an input has no reference.

    >>> groups = [["a dog sat", "the cat sat"], ["no"]]
    >>> best = select_best(groups, ["the cat sat down", ["yes", "no"]], "rouge1")
    >>> best.texts, best.scores[0].round(4).tolist(), best.scores[1].tolist()
    (['the cat sat', 'no'], [0.2857, 0.8571], [1.0])
    """
    name, given = _complete_options(score, dict(options))
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
    with candidates.name_places("predictions", "groups"):
        try:
            scores = scorer.batch(candidates.texts, [targets[owner] for owner in owners])
        except (TypeError, ValueError) as error:
            places = enumerate(owners)
            names = {f"references[{index}]": f"references[{owner}]" for index, owner in places}
            rename_arguments(error, names)
            raise
    index = first_best(scores, candidates.offsets) - candidates.offsets[:-1]
    return BestCandidates(index, candidates.split(scores), candidates.take(index))


def select_consensus(
    groups: object,
    score: str = "bleu",
    *,
    references: object = None,
    weights: object = None,
    with_matrix: bool = False,
    **options: "Unpack[TextRewardKeywords]",
) -> Consensus:
    """Choose the candidate with the best mean score, BLEU from 0 to 1 and smoothed, in each group.

    The scores are bit-identical to those of ``PairScorer``. Their mean is summed from the first
    reference to the last in doubles and then divided by the sum of the weights. mbrs rounds scores
    and means to float32, and the candidate that it chooses among equals is not defined.

    Args:
        groups: sequence of groups, each a sequence of candidate texts for one input; or of
            sequences of token ids with ``tokenizer="ids"``. If a group has one candidate,
            it is chosen.
        score: a score of ``PairScorer``. ``_precision``, ``_recall`` or ``_fmeasure`` after a
            ROUGE type selects this part: ``rouge2_recall``.
        references: the pseudo-references, a sequence of texts per group; None for the candidates of
            the group. Then each candidate is compared with all of them, also with itself.
        weights: a sequence of numbers per group, one for each pseudo-reference; None for equal
            weights. Only their proportions count. The ``reference_lprobs`` of mbrs are logarithms
            of such weights, which it normalises by a softmax: ``weights=exp(lprobs)``.
        with_matrix: whether to return the scores of all pairs.
        **options: the options of ``PairScorer`` except BLEU's ``weights``; BLEU as in
            :func:`select_best`.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: a group is empty, lengths differ, a weight is negative, or all weights of a
            group are 0.

    >>> chosen = select_consensus([["a cat sat", "a dog", "the cat sat"]], "rouge1")
    >>> chosen.index, chosen.texts
    (array([0]), ['a cat sat'])
    >>> chosen.expected[0].round(4)
    array([0.6889, 0.4667, 0.5556])
    """
    pool = ScoredPool(*_complete_options(score, dict(options)))
    has_matrices = check_flag("with_matrix", with_matrix)
    candidates = check_groups("groups", groups)
    others = candidates if references is None else check_groups("references", references)
    check_same_count("references", others.n_groups, candidates.n_groups)
    shares = np.ones(len(others.texts)) if weights is None else check_weights(weights, others)
    rows = pool.add_groups("groups", candidates)
    columns = rows if references is None else pool.add_groups("references", others)
    # All sums are those of bincount, which adds from left to right, unlike np.add.reduceat.
    totals = np.bincount(others.owners, shares).astype(np.float64)
    owners, starts = candidates.owners, others.offsets
    # How many references each candidate is compared with.
    counts = others.sizes[owners]
    means, matrices = [], []
    for part in split_rows(counts):
        own, offsets = owners[part], to_offsets(counts[part])
        places = np.arange(offsets[-1]) + np.repeat(starts[own] - offsets[:-1], counts[part])
        (scores,) = pool.score(rows[part], offsets, columns[places]).values()
        candidate = np.repeat(np.arange(len(own)), counts[part])
        means.append(np.bincount(candidate, scores * shares[places]) / totals[own])
        if has_matrices:
            matrices.append(scores)
    expected = np.concatenate(means)
    index = first_best(expected, candidates.offsets) - candidates.offsets[:-1]
    return Consensus(
        index,
        candidates.split(expected),
        _split_matrices(matrices, candidates, others) if has_matrices else None,
        candidates.take(index),
    )


def _complete_options(score: object, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the score that decides, and the options, which smooth BLEU by default."""
    if not isinstance(score, str):
        expected = "expected one score, such as 'bleu' or 'rougeL', which decides."
        raise TypeError(describe_value("score", repr(score), expected))
    if score == "bleu" and options.get("profile") is None:
        options = {"smooth": "exp", "effective_order": True, **options}
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


def check_weights(weights: object, references: Groups) -> Floats:
    """Check the weights of pseudo-references; scale the largest of each group to 0.5 to 1.

    They are scaled by powers of two, which rounds nothing, so that no product overflows.
    """
    items = read_items("weights", weights, "one sequence of weights for every group")
    check_same_count("weights", len(items), references.n_groups)
    expected = "expected a finite number, 0 or more."
    flat: list[float] = []
    for group, (item, size) in enumerate(zip(items, references.sizes.tolist(), strict=True)):
        place = f"weights[{group}]"
        numbers = read_items(place, item, "one weight for every pseudo-reference")
        if len(numbers) != size:
            raise value_error(
                "{} has {} weights, but the group has {} pseudo-references",
                *(Argument(place), len(numbers), size),
                expected="expected one weight for every pseudo-reference.",
            )
        for index, number in enumerate(numbers):
            weight = check_number(f"{place}[{index}]", number, expected)
            if not 0 <= weight < np.inf:
                raise ValueError(describe_value(f"{place}[{index}]", str(number), expected))
            flat.append(weight)
    values = np.array(flat)
    largest = np.maximum.reduceat(values, references.offsets[:-1])
    if not largest.all():
        raise value_error(
            "{} has no weight above 0",
            Argument(f"weights[{int((largest == 0).argmax())}]"),
            expected="expected at least one.",
            remedy="Make weights of log-probabilities by exp(lprobs - max(lprobs)).",
        )
    # Probabilities of long texts may be as small as 1e-300.
    scaled: Floats = np.ldexp(values, np.repeat(-np.frexp(largest)[1], references.sizes))
    return scaled


def _split_matrices(parts: list[Floats], candidates: Groups, references: Groups) -> list[Floats]:
    """Return the matrix of each group, from the scores of all pairs."""
    widths = references.sizes
    stops = to_offsets(candidates.sizes * widths)[1:-1]
    matrices = np.split(np.concatenate(parts), stops)
    return [
        matrix.reshape(-1, width) for matrix, width in zip(matrices, widths.tolist(), strict=True)
    ]
