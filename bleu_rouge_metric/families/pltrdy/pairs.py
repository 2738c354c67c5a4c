"""Counts of single pairs, with little to set up; the numbers are those of batches."""

from collections.abc import Callable

from ...counting.pairs import PlanPairs, make_sample
from .counting import PltrdyCounting
from .types import plan_types
from .unscorable import may_be_too_deep

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
        reference = references[0]
        ours = write(prediction, keeps_blank=keeps_blank)
        theirs = write(reference, keeps_blank=keeps_blank)
        # Fast path: other texts pass. A text without a sentence has no line.
        if len(references) > 1 or not (ours and theirs) or may_be_too_deep(prediction, reference):
            check(make_sample(prediction, references))
        numbers = count_plan(ours, [theirs])
        return [(numbers[at], numbers[at + 1], numbers[at + 2]) for at in places]

    return count
