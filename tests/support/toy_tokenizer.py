"""A tokenizer whose results are easy to check by hand, and padded arrays for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PAD, EOS, START = 0, 1, 2
SPECIAL = (PAD, EOS, START)
WORDS = "<pad> </s> <s> the cat sat on a mat and dog ran home . big".split()  # noqa: SIM905

# Ids of predictions and labels by sample, as from a model and a collator before padding.
PREDICTIONS = [
    [START, 3, 4, 5, 6, 3, 8, 13, EOS],
    [START, 7, 10, 11, 12, EOS],
    [START, EOS],
    [START, 3, 14, 10, 9, 4, 5, EOS],
    [START, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
]
LABELS = [
    [3, 4, 5, 6, 7, 8, 13, EOS],
    [3, 10, 11, 12, 13, EOS],
    [3, 4, EOS],
    [3, 14, 10, 5, 9, 3, 4, 5, EOS],
    [3, 4, 9, 3, 10, EOS],
]
# The texts of the same samples, decoded by hand.
TEXTS = [
    "the cat sat on the mat .",
    "a dog ran home",
    "",
    "the big dog and cat sat",
    "the the the the the the the the the the",
]
REFERENCES = [
    "the cat sat on a mat .",
    "the dog ran home .",
    "the cat",
    "the big dog sat and the cat sat",
    "the cat and the dog",
]
# The number of ids of predictions that are neither the pad nor -100.
GENERATED = 9 + 6 + 2 + 8 + 11


class ToyTokenizer:
    """The part of a transformers tokenizer that a hook uses."""

    pad_token_id = PAD

    def batch_decode(
        self, rows: Sequence[Sequence[int]], *, skip_special_tokens: bool
    ) -> list[str]:
        """Join words with spaces; as in real tokenizers, an id below 0 overflows."""
        if any(token < 0 for row in rows for token in row):
            raise OverflowError("can't convert negative int to unsigned")
        left_out = SPECIAL if skip_special_tokens else ()
        return [" ".join(WORDS[token] for token in row if token not in left_out) for row in rows]


def pad_rows(
    rows: Sequence[Sequence[int]], *fillers: int, width: int | None = None
) -> NDArray[np.int64]:
    """Pad the rows to one array; after each row come the fillers, and the last one repeats."""
    width = max(map(len, rows)) + len(fillers) if width is None else width
    padded = [[*row, *fillers, *[fillers[-1]] * width][:width] for row in rows]
    return np.array(padded, dtype=np.int64)


def make_logits(ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Make logits that are largest at each id, and noise elsewhere."""
    logits = np.random.default_rng(0).normal(size=(*ids.shape, len(WORDS))).astype(np.float32)
    np.put_along_axis(logits, np.maximum(ids, 0)[..., None], 9.0, axis=-1)
    return logits


class Prediction:
    """What a Trainer passes to its hook; it may also have ``inputs`` and ``losses``."""

    def __init__(self, predictions: Any, label_ids: Any, **more: Any) -> None:
        self.predictions = predictions
        self.label_ids = label_ids
        self.elements = (predictions, label_ids, *more.values())

    def __iter__(self) -> Any:
        return iter(self.elements)
