"""Scores of single pairs, with little to set up; the numbers are those of batches."""

from collections.abc import Callable

from ...counting.pairs import PlanPairs, make_sample
from ..rouge.formulas import Parts
from .counting import PltrdyCounting
from .recursion import MOST_STEPS
from .types import plan_types

# From a prediction and its references to hits and both totals of each type.
CountPair = Callable[[str, list[str]], list[tuple[int, int, int]]]


def prepare_counts(counting: PltrdyCounting) -> CountPair | None:
    """Prepare the counts of single pairs; return None if only batches can be counted.

    The function that is returned raises and warns as ``prepare_check`` does.
    """
    if counting.rules is None:
        return None
    write, keeps_blank = counting.rules.write_lines, counting.keeps_blank
    plan, columns = plan_types(counting.types, once=counting.exclusive, pairs=counting.pairs)
    count_plan = PlanPairs(plan, counting.tokenizer, counting.split_sentences).count
    places = [3 * column for column in columns]
    check = counting.prepare_check()

    def count(prediction: str, references: list[str]) -> list[tuple[int, int, int]]:
        # Fast path: shorter texts pass; see is_too_deep.
        if len(references) > 1 or len(prediction) + len(references[0]) >= 2 * MOST_STEPS - 1:
            check(make_sample(prediction, references))
        lines = write(prediction, keeps_blank=keeps_blank)
        numbers = count_plan(lines, [write(references[0], keeps_blank=keeps_blank)])
        return [(numbers[at], numbers[at + 1], numbers[at + 2]) for at in places]

    return count


def score_triple(hits: int, predicted: int, referred: int) -> Parts:
    """Compute precision, recall and F-measure, as ``score_triples`` does for many.

    >>> score_triple(1, 1, 2)
    (1.0, 0.5, 0.6666666622222223)
    """
    precision = hits / predicted if predicted else 0.0
    recall = hits / referred if referred else 0.0
    # Parity: the operations of ``scoring.measure``, in its order.
    return precision, recall, 2.0 * ((precision * recall) / ((precision + recall) + 1e-8))
