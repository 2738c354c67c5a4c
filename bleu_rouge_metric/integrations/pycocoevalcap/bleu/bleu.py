"""BLEU of captions, as ``pycocoevalcap.bleu.bleu`` gives it."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

from ....counting.kernels import count_bleu
from ....families.coco_bleu import MOST_ORDERS, divide, make_rows, score_row
from ....samples.inputs import Samples, check_samples
from ....text.tokenizer import TOKENIZERS

Scores = tuple[list[float], list[list[float]]]


class Bleu:
    """BLEU of orders 1 to ``n``, from 1 to 4.

    >>> gts, res = {7: ["a cat sat down", "the cat sat"]}, {7: ["the cat sat down"]}
    >>> Bleu(2).compute_score(gts, res, verbose=0)[0]
    [0.9999999995000004, 0.9999999994583337]
    """

    def __init__(self, n: int = 4) -> None:
        """Store the highest order."""
        self._n = n

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
            TypeError: a caption is not a str.
            ValueError: ids differ, captions are not in such lists, or the order is above 4.
        """
        samples, orders = read_captions(gts, res), max(index(self._n), 0)
        if orders > MOST_ORDERS:
            raise ValueError(f"n is {orders}; expected an int from 1 to {MOST_ORDERS}.")
        if samples is None:
            return _score([0] * (2 + 2 * orders), [[] for _ in range(orders)], verbose)
        counts = count_bleu(samples, MOST_ORDERS, TOKENIZERS["whitespace"])
        rows = make_rows(counts, samples.offsets)
        if verbose > 1:
            lengths, offsets = counts.reference_lengths.tolist(), samples.offsets
            for place, (length, reference_length, *numbers) in enumerate(rows.tolist()):
                own = lengths[offsets[place] : offsets[place + 1]]
                found = {"reflen": own, "testlen": length, **_split(numbers)}
                print(found, reference_length)  # noqa: T201 - as pycocoevalcap does
        each = [*map(list, zip(*map(score_row, rows.tolist()), strict=True))][:orders]
        sums: list[int] = rows.sum(axis=0).tolist()
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


def read_captions(
    gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
) -> Samples | None:
    """Return the samples in the order of ``gts``; None without captions."""
    if gts.keys() != res.keys():
        raise ValueError("gts and res have different ids; expected the same ones.")
    for key, references in gts.items():
        if type(res[key]) is not list or len(res[key]) != 1:
            raise ValueError(f"res[{key!r}] is {res[key]!r}; expected a list of one caption.")
        if type(references) is not list or not references:
            raise ValueError(f"gts[{key!r}] is {references!r}; expected a list of captions.")
    return check_samples([res[key][0] for key in gts], list(gts.values())) if gts else None
