"""Read the samples that lm-evaluation-harness logs: one system's responses and their scores.

The format was read from the source code of lm-eval 0.4.13: ``--log_samples`` writes one file
``samples_TASK_DATE.jsonl`` per task, whose objects have ``doc_id``, ``doc``, ``target``,
``arguments``, ``resps``, ``filtered_resps``, ``filter``, ``metrics`` and the value of each metric.
The file has every sample once for each filter of the task. lm-eval 0.4.2 writes the objects as one
JSON array; 0.4.5 and earlier have neither ``filter`` nor ``metrics``.
"""

import ast
from collections.abc import Iterable, Sequence
from typing import Any, Final

from .json_values import JsonValue
from .lines import FileError, InputFile
from .tool_systems import ToolSystem, read_number, read_text

_KEYS: Final = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps"}
# How the harness calls the filter of a task without filters.
_NO_FILTER: Final = "none"
_OTHERS: Final = {*_KEYS, "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}


def is_lm_eval(value: Any) -> bool:
    """Return whether a JSON value is a sample that lm-evaluation-harness logged."""
    return isinstance(value, dict) and value.keys() >= _KEYS


def read_lm_eval(
    file: InputFile, values: Iterable[JsonValue], filter_name: str | None = None
) -> ToolSystem:
    """Read the samples of one file, ordered by ``doc_id``.

    A response is the first of ``filtered_resps``. A target that is the text of a Python list of
    texts in every sample, as the harness writes a task with several references, is read as such.
    Metrics whose values are not numbers, such as the pairs of texts of corpus BLEU, are left out.

    Args:
        file: the file, for errors.
        values: its objects.
        filter_name: of the filter whose responses are read; None for the only one.

    Raises:
        FileError: a value is not such a sample or has no text as its response, a sample is repeated
            or the filter is not clear.
    """
    kept = _choose(file, [_check_sample(file, found) for found in values], filter_name)
    kept.sort(key=lambda found: int(found.value["doc_id"]))
    ids = [int(found.value["doc_id"]) for found in kept]
    for previous, number, found in zip(ids, ids[1:], kept[1:], strict=False):
        if number == previous:
            message = f"'doc_id' is {number} for the second time; expected each sample once."
            raise FileError(file.path, message, found.line)
    first = kept[0].value
    names = first["metrics"] if isinstance(first.get("metrics"), list) else first.keys() - _OTHERS
    metrics = [name for name in first if name in names and isinstance(first[name], int | float)]
    docs = [found.value["doc"] for found in kept]
    columns = [
        name
        for name in (docs[0] if isinstance(docs[0], dict) else ())
        if all(isinstance(doc, dict) and name in doc for doc in docs)
    ]
    return ToolSystem(
        file.path,
        [_read_response(file, found) for found in kept],
        _read_targets(file, kept),
        {
            name: [
                read_number(file, found.value.get(name), repr(name), found.line) for found in kept
            ]
            for name in metrics
        },
        {name: [doc[name] for doc in docs] for name in columns},
        [found.line for found in kept],
        ids,
    )


def _choose(
    file: InputFile, samples: Sequence[JsonValue], filter_name: str | None
) -> list[JsonValue]:
    """Return the samples of one filter."""
    by_filter: dict[str, list[JsonValue]] = {}
    for found in samples:
        by_filter.setdefault(str(found.value.get("filter", _NO_FILTER)), []).append(found)
    names = ", ".join(map(repr, by_filter))
    if filter_name is None and len(by_filter) > 1:
        message = (
            f"the file has responses of the filters {names}; choose one with --harness-filter."
        )
        raise FileError(file.path, message)
    if filter_name is not None and filter_name not in by_filter:
        message = f"the file has no filter {filter_name!r}; expected one of {names}."
        raise FileError(file.path, message)
    return next(iter(by_filter.values())) if filter_name is None else by_filter[filter_name]


def _check_sample(file: InputFile, found: JsonValue) -> JsonValue:
    """Return the value; raise FileError if it is not a sample with a number."""
    line, value, kind = found
    if not is_lm_eval(value):
        message = f"the {kind} is not a sample of lm-evaluation-harness, as {kind} 1 is."
        raise FileError(file.path, message, line)
    number = value["doc_id"]
    if isinstance(number, bool) or not isinstance(number, int):
        raise FileError(file.path, f"'doc_id' is {number!r}; expected an int.", line)
    return found


def _read_response(file: InputFile, found: JsonValue) -> str:
    """Return the only text that the model generated for a sample."""
    line, value, _ = found
    responses = value["filtered_resps"]
    if _holds_likelihoods(value["arguments"]):
        message = (
            "the responses are log-likelihoods of given texts, not generated texts; expected a "
            "task with the output type generate_until."
        )
        raise FileError(file.path, message, line)
    # A filter that keeps the repeats of a request gives a list of one or more.
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    if isinstance(responses, list):
        message = (
            f"'filtered_resps' has {len(responses)} responses; expected one, as the filter "
            "take_first leaves it."
        )
        raise FileError(file.path, message, line)
    return read_text(file, responses, "'filtered_resps'", line)


def _holds_likelihoods(arguments: Any) -> bool:
    """Return whether a request asks for the likelihood of a text, its second argument."""
    requests: Sequence[Any] = list(arguments.values() if isinstance(arguments, dict) else arguments)
    if not requests:
        return False
    request = requests[0]
    parts = list(request.values() if isinstance(request, dict) else request)
    return len(parts) > 1 and isinstance(parts[1], str)


def _read_targets(file: InputFile, samples: Sequence[JsonValue]) -> list[list[str]]:
    """Return the references of each sample."""
    lists = [_parse_list(found.value["target"]) for found in samples]
    targets = [texts for texts in lists if texts]
    if len(targets) == len(samples):
        return targets
    return [[read_text(file, found.value["target"], "'target'", found.line)] for found in samples]


def _parse_list(target: Any) -> list[str] | None:
    """Return the list of texts that a target is, or writes in Python; None if it is another.

    >>> _parse_list("['a b', 'c']"), _parse_list("[laughs]"), _parse_list("[1]")
    (['a b', 'c'], None, None)
    """
    value = target
    if isinstance(target, str) and target.startswith("["):
        try:
            value = ast.literal_eval(target)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
    is_list = isinstance(value, list) and all(isinstance(text, str) for text in value)
    return value if is_list else None
