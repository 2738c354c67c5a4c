"""Streams of references → the references of each segment → counts of each segment."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...arrays import to_offsets
from ...counting.kernels import count_bleu
from ...families.bleu.counting import BleuCounting
from ...families.bleu.rows import bleu_columns
from ...families.bleu.rules import BleuRules
from ...samples.inputs import Samples
from ...text.tokenizer import Tokenizer


class Segments(NamedTuple):
    """The references of each segment.

    Attributes:
        rows: the references that are not None.
        num_refs: how many each segment has; -1 if the numbers differ.
    """

    rows: list[list[str]]
    num_refs: int


def read_segments(streams: Sequence[Sequence[str | None]]) -> Segments:
    """Turn streams of references into the references of each segment.

    Args:
        streams: each with one reference per segment, or None.

    Raises:
        AttributeError: a reference is not a str.
    """
    # Parity: longer streams are cut to the shortest one.
    rows = [[text for text in row if text is not None] for row in zip(*streams, strict=False)]
    check_texts("references", chain.from_iterable(rows))
    numbers = set(map(len, rows))
    return Segments(rows, numbers.pop() if len(numbers) == 1 else -1)


def check_texts(name: str, texts: "chain[str] | Sequence[str]") -> None:
    """Raise AttributeError, or TypeError for bytes, if a text is not a str."""
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            _refuse(f"{name}[{index}]", text)


def _refuse(place: str, text: object) -> NoReturn:
    message = f"{place} is of type {type(text).__name__}; expected a str."
    # Parity: sacrebleu fails at the method that the text lacks; bytes have it.
    raise TypeError(message) if isinstance(text, bytes) else AttributeError(message)


def count_segments(
    hypotheses: Sequence[str],
    segments: Segments,
    tokenizer: Tokenizer,
    rules: BleuRules,
) -> NDArray[np.int64]:
    """Count each segment.

    Returns:
        Shape (segments, columns), as ``bleu_columns`` does.

    Raises:
        AttributeError: a hypothesis is not a str.
        IndexError: there is no segment.
        TypeError: a hypothesis with tokens has no reference.
    """
    # Parity: the longer of hypotheses and references is cut to the shorter one.
    size = min(len(hypotheses), len(segments.rows))
    if not size:
        raise IndexError("A stream of references is empty; expected a reference for each segment.")
    rows = segments.rows[:size]
    texts = list(hypotheses[:size])
    check_texts("hypotheses", texts)
    # A segment without references is counted with an empty one.
    filled = [row or [""] for row in rows]
    samples = Samples(
        texts, list(chain.from_iterable(filled)), to_offsets(np.array(list(map(len, filled))))
    )
    counting = BleuCounting(
        choice=tokenizer.name,
        tokenizer=tokenizer,
        max_order=rules.max_order,
        strips_end=True,
    )
    counts = count_bleu(counting.prepare(samples), rules.max_order, tokenizer)
    columns = bleu_columns(counts, samples.offsets, rules)
    for index, row in enumerate(rows):
        if not row:
            columns[index, 1] = count_without_references(index, int(columns[index, 0]))
    return columns


def count_without_references(index: int, prediction_length: int) -> int:
    """Return the reference length of a segment whose references are all None."""
    if prediction_length:
        raise TypeError(
            f"All references of segment {index} are None; expected at least one, as its hypothesis "
            "has tokens."
        )
    # Parity: _get_closest_ref_len starts with -1.
    return -1
