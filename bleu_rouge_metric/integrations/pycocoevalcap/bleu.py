"""BLEU of captions, as ``pycocoevalcap.bleu.bleu`` gives it."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from ...counting.kernels import count_bleu
from ...families.coco_bleu import MOST_ORDERS, divide, make_rows, score_row
from ...text.tokenizers import TOKENIZERS
from .captions import check_caption, check_keys, make_samples, refuse

Scores = tuple[list[float], list[list[float]]]


class Bleu:
    """BLEU of orders 1 to ``n``.

    >>> gts, res = {7: ["a cat sat down", "the cat sat"]}, {7: ["the cat sat down"]}
    >>> Bleu(2).compute_score(gts, res, verbose=0)[0]
    [0.9999999995000004, 0.9999999994583337]
    """

    def __init__(self, n: int = 4) -> None:
        """Store the highest order, from 1 to 4; it is used when captions are scored."""
        self._n = n
        # Parity: pycocoevalcap has both, and leaves them empty.
        self._hypo_for_image: dict[Any, Any] = {}
        self.ref_for_image: dict[Any, Any] = {}

    def compute_score(
        self,
        gts: Mapping[Any, Sequence[str]],
        res: Mapping[Any, Sequence[str]],
        verbose: int = 1,
    ) -> Scores:
        """Compute the scores of all captions together, and of each.

        Args:
            gts: references by id, a list of one or more.
            res: predictions by the same ids, each a list of one.
            verbose: 1 to print the totals, 2 to print every sample too, 0 to print nothing.

        Returns:
            One score per order, in [0, 1]; and a list per order of the scores of the samples, in
            the order of ``gts``.

        Raises:
            AssertionError: ids differ, or captions are not in such lists.
            AttributeError: a caption is not a str.
            IndexError: the order is above 4, and there are captions.
            TypeError: the order is not an int, or a caption is bytes, or a prediction is None.
        """
        check_keys(gts, res)
        predictions, references = _check_captions(gts, res)
        orders = max(index(self._n), 0)
        if predictions and orders > MOST_ORDERS:
            raise IndexError(f"n is {orders}; expected an int from 1 to {MOST_ORDERS}.")
        if not predictions:
            return _score([0] * (2 + 2 * orders), [[] for _ in range(orders)], verbose)
        samples = make_samples(predictions, references)
        counts = count_bleu(samples, MOST_ORDERS, TOKENIZERS["whitespace"])
        columns = make_rows(counts, samples.offsets)
        if verbose > 1:
            lengths = counts.reference_lengths.tolist()
            for place, row in enumerate(columns.tolist()):
                own = lengths[samples.offsets[place] : samples.offsets[place + 1]]
                length, reference_length, *numbers = row
                found = {"reflen": own, "testlen": length, **_split(numbers)}
                print(found, reference_length)  # noqa: T201 - as pycocoevalcap does
        each = [*map(list, zip(*map(score_row, columns.tolist()), strict=True))][:orders]
        sums: list[int] = columns.sum(axis=0).tolist()
        return _score(sums[: 2 + 2 * orders], each, verbose)

    def method(self) -> str:
        """Return the name of the score."""
        return "Bleu"


def _score(sums: list[int], each: list[list[float]], verbose: int) -> Scores:
    """Return the scores of summed counts with those of samples, and print the totals."""
    length, reference_length, *numbers = sums
    if verbose > 0:
        found = {"testlen": length, "reflen": reference_length, **_split(numbers)}
        print(found)  # noqa: T201 - as pycocoevalcap does
        print("ratio:", divide(length, reference_length))  # noqa: T201
    return score_row(sums), each


def _split(numbers: list[int]) -> dict[str, list[int]]:
    """Return n-grams and matches of every order by the names that are printed."""
    return {"guess": numbers[1::2], "correct": numbers[::2]}


def _check_captions(
    gts: Mapping[Any, Any], res: Mapping[Any, Any]
) -> tuple[list[str], list[list[str]]]:
    """Return the predictions and their references in the order of ``gts``."""
    predictions: list[Any] = []
    references: list[list[str]] = []
    for key, own in gts.items():
        found = res[key]
        if type(found) is not list or len(found) != 1:
            refuse(f"res[{key!r}] is {found!r}; expected a list of one caption")
        if type(own) is not list or not own:
            refuse(f"gts[{key!r}] is {own!r}; expected a list of one or more captions")
        for place, caption in enumerate(own):
            check_caption(f"gts[{key!r}][{place}]", caption)
        if found[0] is not None:
            check_caption(f"res[{key!r}][0]", found[0])
        predictions.append(found[0])
        references.append(own)
    for key, caption in zip(gts, predictions, strict=True):
        if caption is None:
            # Parity: pycocoevalcap finds this only when all captions are split.
            raise TypeError(
                f"res[{key!r}][0] is None; expected a str ('NoneType' object is not subscriptable)."
            )
    return predictions, references
