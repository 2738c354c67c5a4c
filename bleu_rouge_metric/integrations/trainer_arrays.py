"""Read what a training loop passes to its hook: arrays of ids or of logits, and their labels.

Arrays are NumPy arrays, or torch tensors on any device; torch itself is not imported.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..messages import count_noun

# A NumPy array, or a torch tensor.
Array = Any
# The ids of samples without padding: each of a prediction and of its label.
Pairs = list[tuple[list[int], list[int]]]

_REMEDIES: Final = {
    "label_ids": "Let the data collator give labels of token ids, padded with -100.",
    "predictions": "Use predict_with_generate=True for ids, or hand over the logits.",
}


def drop_padding(name: str, ids: NDArray[Any], dropped: Sequence[int]) -> list[list[int]]:
    """Return the tokens of ids, shape (samples, width), without those that are dropped.

    >>> drop_padding("predictions", np.array([[0, 7, 8, -100], [9, 0, 0, 0]]), (-100, 0))
    [[7, 8], [9]]
    """
    is_token = np.isin(ids, dropped, invert=True)
    for row, column in np.argwhere(is_token & (ids < 0))[:1].tolist():
        raise ValueError(
            f"{name}[{row}, {column}] is {ids[row, column]}; expected token ids from 0, and "
            f"{dropped[0]} where no token is. Pad with {dropped[0]}."
        )
    return [row[kept].tolist() for row, kept in zip(ids, is_token, strict=True)]


def read_arrays(prediction: object) -> Iterator[tuple[Array, NDArray[Any]]]:
    """Yield predictions and labels; of each batch with ``eval_do_concat_batches=False``."""
    if hasattr(prediction, "predictions"):
        predictions, labels = prediction.predictions, prediction.label_ids  # type: ignore[attr-defined]
    elif isinstance(prediction, tuple | list) and len(prediction) == 2:
        predictions, labels = prediction
    else:
        raise TypeError(
            f"The hook was called with {_show(prediction)}; expected an EvalPrediction, or a pair "
            "of predictions and labels."
        )
    if not isinstance(predictions, list):
        predictions, labels = [predictions], [labels]
    if not isinstance(labels, list) or len(labels) != len(predictions):
        raise ValueError(
            f"predictions is {_show(predictions)}, with an item per batch, but label_ids is "
            f"{_show(labels)}; expected as many batches of labels."
        )
    for given, given_labels in zip(predictions, labels, strict=True):
        yield take_first(given), _check_ids("label_ids", take_first(given_labels))


def read_pairs(
    predictions: Array,
    labels: NDArray[Any],
    dropped: Sequence[int],
    *,
    causal: bool,
    has_shifted: bool,
) -> Pairs:
    """Return the ids of predictions (ids, or logits by position and vocabulary) and of labels.

    Of the ids that are dropped, the first one marks positions without a label; ``has_shifted`` is
    whether ``align_ids`` may have made the predictions from causal logits.
    """
    ignored = dropped[0]
    if is_logits(predictions):
        likeliest = _to_numpy(predictions.argmax(-1))
        ids: NDArray[Any] = align_ids(likeliest, labels, ignored, causal=causal)
    else:
        ids = _check_ids("predictions", predictions)
        if len(ids) != len(labels):
            raise ValueError(_describe_lengths(len(ids), len(labels)))
        # Only shifted ids begin with this id; generated ids and the likeliest ids of logits do not.
        if causal and not (has_shifted and (ids[:, :1] == ignored).all()):
            refuse_causal_ids(predictions)
    if causal:
        # No position predicts the first token.
        labels = labels.copy()
        labels[:, :1] = ignored
    sides = {"predictions": ids, "label_ids": labels}
    return list(
        zip(*(drop_padding(name, side, dropped) for name, side in sides.items()), strict=True)
    )


def _describe_lengths(predictions: int, labels: int) -> str:
    """Return the error for predictions and labels of different numbers of samples."""
    lengths = (
        f"predictions has {count_noun(predictions, 'sample')}, but label_ids has {labels}; "
        "expected as many."
    )
    if labels and predictions % labels == 0 and predictions > labels:
        each = predictions // labels
        return (
            f"{lengths} There are {each} predictions for each label: generate one, with "
            f"num_return_sequences=1, or keep one of them, as in predictions[::{each}]. If {each} "
            "is the number of processes, gather both from all of them, or neither."
        )
    return f"{lengths} Gather both from all processes, or neither."


def refuse_causal_ids(predictions: Array) -> NoReturn:
    """Raise ValueError: it is unknown whether the ids of a causal model are shifted."""
    raise ValueError(
        f"predictions is {_show(predictions)}, but causal=True is for logits: it is unknown "
        "whether ids are shifted. Give preprocess_logits_for_metrics="
        "hook.preprocess_logits_for_metrics, with this hook, instead of a function with "
        "logits.argmax(-1). If the ids were generated, or have the positions of their labels, "
        "give causal=False."
    )


def begin_unlabelled(labels: NDArray[Any], ignored: int) -> bool:
    """Return whether the labels of every sample begin with ignored positions, as for a prompt.

    >>> begin_unlabelled(np.array([[-100, -100, 7], [-100, 8, 9], [-100, -100, -100]]), -100)
    True
    """
    # Labels with padding on the left do not: the longest sample has no padding.
    has_label = labels != ignored
    is_sample = has_label.any(axis=1)
    return bool(is_sample.any() and not has_label[is_sample, 0].any())


def take_first(array: Any) -> Array:
    """Return the first item of a tuple: a model returns logits first."""
    return array[0] if isinstance(array, tuple) and array else array


def is_logits(array: Array) -> bool:
    """Return whether the array has three dimensions of floats: samples, positions, vocabulary."""
    return getattr(array, "ndim", 0) == 3 and "float" in str(array.dtype)


def align_ids(likeliest: Array, labels: Array | None, ignored: int, *, causal: bool) -> Array:
    """Move the likeliest ids to the positions of their labels; fill the rest with ``ignored``.

    >>> align_ids(np.array([[4, 5, 6]]), np.array([[-100, 5, 6]]), -100, causal=True).tolist()
    [[-100, 4, 5]]
    >>> align_ids(np.array([[4, 5, 6]]), np.array([[4, 7, -100]]), -100, causal=False).tolist()
    [[4, 5, -100]]
    """
    if labels is not None and likeliest.shape != labels.shape:
        raise ValueError(
            f"predictions has logits for positions of shape {tuple(likeliest.shape)}, but "
            f"label_ids is of shape {tuple(labels.shape)}; expected one position for every label. "
            "Leave the others out of the logits in your own preprocess_logits_for_metrics."
        )
    if causal:
        behind = likeliest + 0
        behind[:, 1:] = likeliest[:, :-1]
        behind[:, :1] = ignored
        likeliest = behind
    if labels is not None:
        likeliest[labels == ignored] = ignored
    return likeliest


def _check_ids(name: str, array: Array) -> NDArray[Any]:
    """Check token ids, and return them as a NumPy array."""
    if getattr(array, "ndim", None) != 2 or "int" not in str(array.dtype):
        problem = ValueError if hasattr(array, "shape") else TypeError
        logits = " or logits of shape (samples, length, vocabulary)" * (name == "predictions")
        raise problem(
            f"{name} is {_show(array)}; expected integers of shape (samples, length){logits}. "
            + _REMEDIES[name]
        )
    return _to_numpy(array)


def _to_numpy(array: Array) -> NDArray[Any]:
    """Return the array, or a copy of the tensor from its device."""
    return np.asarray(array.detach().cpu() if hasattr(array, "detach") else array)


def _show(value: Any) -> str:
    """Describe a value that should be an array."""
    if value is None:
        return "None"
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"an array of shape {tuple(value.shape)} and type {value.dtype}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return f"of type {type(value).__name__}"
