"""The levels at which a metric is compared with people, and how units are grouped there.

At the level of systems each system has one score and one rating, the mean of its items (a corpus
BLEU is that of all items). At the level of segments each text has a score and a rating; they are
correlated within each item, within each system, or all together (Deutsch et al. 2021 and 2023).
"""

from typing import Final, Literal, NamedTuple

import numpy as np

from ...resampling.draws import Floats

Level = Literal["segment", "system"]
Grouping = Literal["item", "system", "none"]

LEVELS: Final = ("segment", "system", "both")
GROUPINGS: Final = ("item", "system", "none")


class Weights(NamedTuple):
    """How often units and groups count.

    Attributes:
        units: shape (1, units of a group).
        groups: shape (groups,).
    """

    units: Floats
    groups: Floats


def group_texts(matrix: Floats, grouping: Grouping) -> Floats:
    """Return the numbers of texts in their groups.

    Args:
        matrix: shape (systems, items).
        grouping: ``item`` for a group of each item, ``system``, or ``none`` for one group.

    Returns:
        Shape (groups, units).
    """
    if grouping == "none":
        return matrix.reshape(1, -1)
    return np.ascontiguousarray(matrix.T) if grouping == "item" else matrix


def group_weights(systems: Floats, items: Floats, grouping: Grouping) -> Weights:
    """Return the weights of texts and of their groups.

    Args:
        systems: how often each system counts, shape (systems,).
        items: how often each item counts, shape (items,).
        grouping: as for :func:`group_texts`.
    """
    if grouping == "none":
        return Weights(np.outer(systems, items).reshape(1, -1), np.ones(1))
    if grouping == "item":
        return Weights(systems[np.newaxis], items)
    return Weights(items[np.newaxis], systems)
