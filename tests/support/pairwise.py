"""Few combinations that have every pair of values of several choices (a covering array)."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

# Values by choice; a choice that is not there is not made.
Combination = dict[str, Any]


class Cover(NamedTuple):
    """What covers the pairs.

    Attributes:
        accepted: combinations that are accepted; together they have every pair that can be.
        refused: the other pairs, each alone.
    """

    accepted: list[Combination]
    refused: list[Combination]


def cover_pairs(
    choices: Mapping[str, Sequence[Any]],
    is_accepted: Callable[[Combination], bool],
    starts: Sequence[Combination] = ({},),
    seed: int = 0,
) -> Cover:
    """Cover all pairs of values of two different choices; the combinations are always the same.

    A combination begins with a pair that is not covered yet. Then every other choice takes the
    value that covers most of the pairs that are left, if the combination stays accepted.

    Args:
        choices: values by choice, no two of them equal.
        is_accepted: says whether the values of a combination go together.
        starts: what a pair may need; the first with which it is accepted is added to it.
        seed: of the order in which choices are made.

    >>> cover_pairs({"a": [1, 2], "b": [3], "c": [4]}, lambda made: made != {"a": 2, "c": 4})
    Cover(accepted=[{'a': 1, 'b': 3, 'c': 4}, {'a': 2, 'b': 3}], refused=[{'a': 2, 'c': 4}])
    """
    draw = random.Random(seed)
    # A place is a choice with the index of a value.
    left = {
        frozenset(((one, index), (other, other_index)))
        for one, other in combinations(choices, 2)
        for index in range(len(choices[one]))
        for other_index in range(len(choices[other]))
    }
    cover = Cover([], [])

    def read(places: Mapping[str, int]) -> Combination:
        return {name: choices[name][places[name]] for name in choices if name in places}

    for pair in sorted(left, key=sorted):
        if pair not in left:
            continue
        made = dict(sorted(pair))
        for start in starts:
            places = {name: choices[name].index(value) for name, value in start.items()}
            if is_accepted(read({**places, **made})):
                made = {**places, **made}
                break
        else:
            cover.refused.append(read(made))
            left.remove(pair)
            continue
        names = [name for name in choices if name not in made]
        draw.shuffle(names)
        for name in names:
            gains = [
                (sum(frozenset((place, (name, index))) in left for place in made.items()), index)
                for index in range(len(choices[name]))
            ]
            for gain, index in sorted(gains, reverse=True):
                if gain and is_accepted(read({**made, name: index})):
                    made[name] = index
                    break
        cover.accepted.append(read(made))
        left.difference_update(map(frozenset, combinations(made.items(), 2)))
    return cover
