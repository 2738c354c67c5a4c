"""Choose the candidate that agrees most with samples of a model: minimum Bayes risk decoding.

The expected score of a candidate is its mean score against pseudo-references, such as other
samples of the model. Each text is tokenized once. mbrs 0.1.8 computes the same (``DecoderMBR``, and
``DecoderAggregateMBR`` with BLEU), but rounds scores and means to float32.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...arrays import first_best, to_offsets
from ...checks import check_flag, check_number
from ...counting.pools import Ints
from ...families.base import Floats
from ...messages import Argument, describe_value, value_error
from .aggregate import Task, prepare_averages
from .best import choose_profile
from .groups import Groups, check_groups, check_same_count, list_items
from .scored_pool import ScoredPool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import TextRewardKeywords

# The most pairs that are scored at once, if a candidate has not more.
_MOST_PAIRS: Final = 1 << 18


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


def select_consensus(
    groups: object,
    score: str = "bleu",
    *,
    references: object = None,
    weights: object = None,
    aggregate: bool = False,
    with_matrix: bool = False,
    **options: "Unpack[TextRewardKeywords]",
) -> Consensus:
    """Choose of each group the candidate with the highest expected score.

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
        aggregate: whether to average the n-gram counts and lengths of the pseudo-references
            instead of the scores (DeNero et al. 2009). For the sentence BLEU of sacrebleu only.
            The time is linear in the number of texts, but n-grams are averaged in Python: all
            pairs of fewer than about 500 candidates are scored faster.
        with_matrix: whether to return the scores of all pairs.
        **options: the options of ``PairScorer`` except BLEU's ``weights``. BLEU is that of
            ``profile="sacrebleu"`` unless another profile is given; as in sacrebleu's
            ``sentence_bleu``, the order is effective unless ``effective_order=False``.

    Raises:
        TypeError: an item is of a type that cannot be scored, or an option is unknown.
        ValueError: a group is empty, lengths differ, a weight is negative, all weights of a group
            are 0, or the score has no aggregate.

    >>> chosen = select_consensus([["a cat sat", "a dog", "the cat sat"]], "rouge1")
    >>> chosen.index, chosen.texts
    (array([0]), ['a cat sat'])
    >>> chosen.expected[0].round(4)
    array([0.6889, 0.4667, 0.5556])
    """
    pool = ScoredPool(*choose_profile(score, dict(options)))
    has_matrices = check_flag("with_matrix", with_matrix)
    averages = prepare_averages(pool) if check_flag("aggregate", aggregate) else None
    if averages is not None and has_matrices:
        reason = "{with_matrix is True}, but {aggregate is True} scores no pairs"
        raise value_error(reason, remedy="leave one of them out.")
    candidates = check_groups("groups", groups)
    others = candidates if references is None else check_groups("references", references)
    check_same_count("references", others.n_groups, candidates.n_groups)
    shares = np.ones(len(others.texts)) if weights is None else check_weights(weights, others)
    rows = _add(pool, "groups", candidates)
    columns = rows if references is None else _add(pool, "references", others)
    # All sums are those of bincount, which adds from left to right, unlike np.add.reduceat.
    totals = np.bincount(others.owners, shares).astype(np.float64)
    task = Task(candidates, others, rows, columns, shares, totals)
    matrices = None
    if averages is None:
        expected, scores = _average_scores(pool, task, has_matrices=has_matrices)
        matrices = task.split(scores) if has_matrices else None
    else:
        expected = averages.score(task)
    index = first_best(expected, candidates.offsets) - candidates.offsets[:-1]
    return Consensus(index, candidates.split(expected), matrices, candidates.take(index))


def check_weights(weights: object, references: Groups) -> Floats:
    """Check the weights of pseudo-references, and scale them so that no product overflows.

    Args:
        weights: one sequence of numbers per group, one for each pseudo-reference.
        references: what is weighted.

    Returns:
        Shape (references,). The largest of each group is from 0.5 to 1, and all weights of a group
        are multiplied by the same power of two, which rounds nothing.

    Raises:
        TypeError: it is not a sequence of sequences of numbers.
        ValueError: the lengths differ, a weight is negative or not finite, or all weights of a
            group are 0.

    >>> check_weights([[1, 3]], check_groups("references", [["a", "b"]]))
    array([0.25, 0.75])
    """
    items = list_items("weights", weights, "one sequence of weights for every group")
    check_same_count("weights", len(items), references.n_groups)
    expected = "expected a finite number, 0 or more."
    flat: list[float] = []
    for group, (item, size) in enumerate(zip(items, references.sizes.tolist(), strict=True)):
        place = f"weights[{group}]"
        numbers = list_items(place, item, "one weight for every pseudo-reference")
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


def _add(pool: ScoredPool, name: str, groups: Groups) -> Ints:
    """Add the texts of groups to a pool, and return their indices."""
    try:
        return pool.add(name, groups.texts)
    except (TypeError, ValueError) as error:
        groups.rename_places(error, {name: name})
        raise


def _average_scores(pool: ScoredPool, task: Task, *, has_matrices: bool) -> tuple[Floats, Floats]:
    """Return the expected score of each candidate; and the scores of all pairs, or none."""
    owners, sizes = task.candidates.owners, task.references.sizes
    starts, means, scores = task.references.offsets, [], [np.empty(0)]
    for part in _split_rows(sizes[owners]):
        groups = owners[part]
        offsets = to_offsets(sizes[groups])
        shifts = np.repeat(starts[groups] - offsets[:-1], sizes[groups])
        places = np.arange(offsets[-1]) + shifts
        (found,) = pool.score(task.rows[part], offsets, task.columns[places]).values()
        numbers = np.repeat(np.arange(len(groups)), sizes[groups])
        means.append(np.bincount(numbers, found * task.weights[places]) / task.totals[groups])
        if has_matrices:
            scores.append(found)
    return np.concatenate(means), np.concatenate(scores)


def _split_rows(pairs: Ints) -> Iterator[slice]:
    """Iterate over parts of rows, each of one row or of at most ``_MOST_PAIRS`` pairs."""
    ends = np.cumsum(pairs)
    start = before = 0
    while start < len(pairs):
        stop = int(np.searchsorted(ends, before + _MOST_PAIRS, side="right"))
        stop = max(stop, start + 1)
        yield slice(start, stop)
        start, before = stop, int(ends[stop - 1])
