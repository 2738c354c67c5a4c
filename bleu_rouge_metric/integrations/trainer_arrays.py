"""Read what a training loop passes to its hook: arrays of ids or of logits, and their labels.

Arrays are NumPy arrays, or torch tensors on any device; torch itself is not imported.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .token_rows import TokenRows, drop_padding

# A NumPy array, or a torch tensor.
Array = Any

_REMEDIES: Final = {
    "label_ids": "Let the data collator give labels of token ids, padded with -100.",
    "predictions": "Use predict_with_generate=True for ids, or hand over the logits.",
}


class Batch(NamedTuple):
    """Ids of some samples, without padding.

    Attributes:
        predictions: ids of the predictions.
        labels: ids of the labels.
    """

    predictions: TokenRows
    labels: TokenRows

    @property
    def n_samples(self) -> int:
        """Return the number of samples."""
        return len(self.labels.lengths)

    def select(self, start: int, stop: int | None = None) -> "Batch":
        """Return the samples of ``[start:stop]``."""
        return Batch(self.predictions.select(start, stop), self.labels.select(start, stop))

    def take(self, samples: NDArray[np.int64]) -> "Batch":
        """Return the samples at these indices, in this order."""
        return Batch(self.predictions.take(samples), self.labels.take(samples))


def read_arrays(prediction: object) -> Iterator[tuple[Array, NDArray[Any]]]:
    """Yield pairs of predictions and labels that a training loop passes to its hook.

    Args:
        prediction: an ``EvalPrediction`` or another object with ``predictions`` and ``label_ids``,
            or a pair of both. Each is an array, or a tuple whose first item is the array. With
            ``eval_do_concat_batches=False`` each is a list with one such item per batch.

    Raises:
        TypeError: predictions or labels are missing.
        ValueError: a shape or a type is wrong.
    """
    predictions, labels = _find_both(prediction)
    if not isinstance(predictions, list):
        predictions, labels = [predictions], [labels]
    if not isinstance(labels, list) or len(labels) != len(predictions):
        raise ValueError(
            f"predictions is a list of {len(predictions)} batches, but label_ids is "
            f"{_show(labels)}; expected as many batches of labels."
        )
    for given, given_labels in zip(predictions, labels, strict=True):
        yield take_first(given), _check_ids("label_ids", take_first(given_labels))


def make_batch(
    predictions: Array,
    labels: NDArray[Any],
    dropped: Sequence[int],
    *,
    causal: bool,
    has_shifted: bool = False,
) -> Batch:
    """Make a batch of the ids of predictions and labels.

    Args:
        predictions: ids, shape (samples, length), or logits, shape (samples, length, vocabulary).
        labels: ids, shape (samples, length).
        dropped: ids that are not tokens; the first one marks positions without a label.
        causal: whether each position of logits predicts the next label.
        has_shifted: whether ``align_ids`` may have made the predictions from causal logits.

    Raises:
        TypeError: predictions are not an array.
        ValueError: a shape or a type is wrong, predictions and labels have different numbers of
            samples, or it is unknown whether the ids of a causal model are shifted.
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
    return Batch(
        drop_padding("predictions", ids, dropped), drop_padding("label_ids", labels, dropped)
    )


def _describe_lengths(predictions: int, labels: int) -> str:
    """Return the error for predictions and labels of different numbers of samples."""
    lengths = (
        f"predictions has {predictions} samples, but label_ids has {labels}; expected as many."
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

    Labels with padding on the left do not, because the longest sample has no padding. Samples
    without any label are not considered.

    >>> begin_unlabelled(np.array([[-100, -100, 7], [-100, 8, 9], [-100, -100, -100]]), -100)
    True
    >>> begin_unlabelled(np.array([[-100, 7], [8, 9]]), -100)
    False
    """
    has_label = labels != ignored
    is_sample = has_label.any(axis=1)
    return bool(is_sample.any() and not has_label[is_sample, 0].any())


def _find_both(prediction: Any) -> tuple[Any, Any]:
    """Return predictions and labels, unchanged."""
    if hasattr(prediction, "predictions"):
        return prediction.predictions, prediction.label_ids
    if isinstance(prediction, tuple | list) and len(prediction) == 2:
        return prediction[0], prediction[1]
    raise TypeError(
        f"The hook was called with {_show(prediction)}; expected an EvalPrediction, or a pair of "
        "predictions and labels."
    )


def take_first(array: Any) -> Array:
    """Return the first item of a tuple: a model returns logits first."""
    return array[0] if isinstance(array, tuple) and array else array


def is_logits(array: Array) -> bool:
    """Return whether the array has three dimensions of floats: samples, positions, vocabulary."""
    return getattr(array, "ndim", 0) == 3 and "float" in str(array.dtype)


def align_ids(likeliest: Array, labels: Array | None, ignored: int, *, causal: bool) -> Array:
    """Move the likeliest ids to the positions of their labels; fill the rest with ``ignored``.

    Args:
        likeliest: integers, shape (samples, positions); NumPy or torch. May be changed.
        labels: labels of the same shape and library; None if there are none.
        ignored: the label of a position that is not scored.
        causal: whether a position predicts the next label, not its own.

    Raises:
        ValueError: there are more or fewer positions than labels.

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
