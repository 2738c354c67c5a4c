"""A tokenizer that tests can do by hand, and padded arrays for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PAD, EOS, START = 0, 1, 2
SPECIAL = (PAD, EOS, START)
WORDS = "<pad> </s> <s> the cat sat on a mat and dog ran home . big".split()  # noqa: SIM905

# Ids of predictions and labels by sample, as a model and a collator give them before padding.
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
# The same, decoded by hand.
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
# Neither pad nor -100.
GENERATED = 9 + 6 + 2 + 8 + 11


class ToyTokenizer:
    """What a hook uses of a tokenizer of transformers."""

    pad_token_id = PAD

    def batch_decode(
        self, rows: Sequence[Sequence[int]], *, skip_special_tokens: bool
    ) -> list[str]:
        """Words between spaces; as with the real ones, an id below 0 overflows."""
        if any(token < 0 for row in rows for token in row):
            raise OverflowError("can't convert negative int to unsigned")
        left_out = SPECIAL if skip_special_tokens else ()
        return [" ".join(WORDS[token] for token in row if token not in left_out) for row in rows]


def pad_rows(
    rows: Sequence[Sequence[int]], *fillers: int, width: int | None = None
) -> NDArray[np.int64]:
    """The rows as one array; the first filler once behind each row, the last one up to its end."""
    width = max(map(len, rows)) + len(fillers) if width is None else width
    padded = [[*row, *fillers, *[fillers[-1]] * width][:width] for row in rows]
    return np.array(padded, dtype=np.int64)


def make_logits(ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Logits with the largest at each id; noise elsewhere."""
    logits = np.random.default_rng(0).normal(size=(*ids.shape, len(WORDS))).astype(np.float32)
    np.put_along_axis(logits, np.maximum(ids, 0)[..., None], 9.0, axis=-1)
    return logits


class Prediction:
    """What a Trainer hands over; ``inputs`` and ``losses`` may be there too."""

    def __init__(self, predictions: Any, label_ids: Any, **more: Any) -> None:
        self.predictions = predictions
        self.label_ids = label_ids
        self.elements = (predictions, label_ids, *more.values())

    def __iter__(self) -> Any:
        return iter(self.elements)
