"""Recognise the files of other programs by their content, and read the systems in them.

The formats were read from the source code of the programs:

- lm-evaluation-harness (0.4.13): ``--log_samples`` writes one file ``samples_TASK_DATE.jsonl`` per
  task, with every sample once for each filter. 0.4.2 writes one JSON array; 0.4.5 and earlier have
  neither ``filter`` nor ``metrics``.
- COMET (2.2.7): ``comet-score --to_json`` writes an object that maps the file of each system to a
  list of samples, ``{"src", "mt", "ref", "COMET"}``; ``comet-compare --to_json`` an object with
  the lists ``source``, ``reference`` and ``translations``. Without references ``ref`` is missing.
- OpenCompass: an object that maps the number of a sample to ``prediction`` and ``gold``, or a
  result whose ``details`` map it to ``predictions`` and ``references``.
- COCO: results are a list of ``{"image_id", "caption"}``; annotations an object with several.
- lighteval: details in Parquet with ``predictions`` and ``gold``, or ``model_response`` and
  ``doc``.
"""

import ast
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, TypeGuard

from .input import FileError, FileFormat, InputFile
from .json_values import Document, JsonValue, check_lengths, find_document, read_json, show
from .lines import examine, read_lines
from .rows import Rows, make_rows, open_rows, share_columns

HARNESS: Final = "lm-evaluation-harness"
COMET: Final = "COMET"

_HARNESS_KEYS: Final = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
}


def open_systems(
    file: InputFile, filter_name: str | None = None, translator: str | None = None
) -> list[Rows]:
    """Open a file: its rows, or the systems if it is of another program, whatever its name is."""
    file, document, systems = find_systems(file, filter_name, translator)
    return systems or [open_rows(file, document, is_examined=True)]


def find_systems(
    file: InputFile, filter_name: str | None = None, translator: str | None = None
) -> tuple[InputFile, Document | None, list[Rows]]:
    """Return the examined file, its JSON value, and the systems if it is of another program."""
    file, head = examine(file)
    if head.startswith("<"):
        # Importing it takes as long as reading a small file.
        from .markup import find_markup, read_markup

        file, markup = find_markup(file, head)
        if markup is not None:
            return file, None, read_markup(file, markup, translator)
    if file.format is FileFormat.PARQUET:
        rows = open_rows(file, is_examined=True)
        return file, None, _read_lighteval(rows) or [rows]
    file, document = find_document(file, head)
    return file, document, _read_document(file, document, filter_name) if document else []


def _read_document(file: InputFile, document: Document, filter_name: str | None) -> list[Rows]:
    """Return the systems in a JSON file; none if it is not of a program."""
    value = document.value
    first = value[0] if isinstance(value, list) and value else value
    if _is_harness(first):
        values = read_json(file._replace(format=FileFormat.JSON), read_lines(file))
        return [_read_harness(file, values, filter_name)]
    if not document.is_whole:
        return []
    return _read_comet(file, value) or _read_coco(file, value) or _read_opencompass(file, value)


def _is_harness(value: Any) -> bool:
    """Return whether a JSON value is a sample that lm-evaluation-harness logged."""
    return (
        isinstance(value, dict)
        and {"doc_id", "target"} <= value.keys()
        and ("filtered_resps" in value or "resps" in value)
    )


def _read_harness(file: InputFile, values: Iterable[JsonValue], filter_name: str | None) -> Rows:
    """Read the samples of one filter of the harness, ordered by ``doc_id``."""
    by_filter: dict[str, dict[int, tuple[int, dict[str, Any]]]] = {}
    for line, value, kind in values:
        if not _is_harness(value):
            message = f"the {kind} is not a sample of lm-evaluation-harness, as {kind} 1 is."
            raise FileError(file.path, message, line)
        number = value["doc_id"]
        if type(number) is not int:
            raise FileError(file.path, f"'doc_id' is {number!r}; expected an int.", line)
        samples = by_filter.setdefault(str(value.get("filter", "none")), {})
        if number in samples:
            message = f"'doc_id' is {number} for the second time; expected each sample once."
            raise FileError(file.path, message, line)
        samples[number] = line, value
    names = ", ".join(map(repr, by_filter))
    if filter_name is None and len(by_filter) > 1:
        message = f"the file has responses of the filters {names}; choose one with "
        raise FileError(file.path, f"{message}--harness-filter.")
    chosen = next(iter(by_filter)) if filter_name is None else filter_name
    if chosen not in by_filter:
        message = f"the file has no filter {chosen!r}; expected one of {names}."
        raise FileError(file.path, message)
    ids, pairs = zip(*sorted(by_filter[chosen].items()), strict=True)
    first = pairs[0][1]
    named = first.get("metrics")
    named = named if isinstance(named, list) else first.keys() - _HARNESS_KEYS
    # The values of others are pairs of texts, such as those of corpus BLEU.
    metrics = [name for name in first if isinstance(first[name], int | float) and name in named]
    # A task with several references has the text of a list of Python.
    references = _read_lists([row["target"] for _, row in pairs])
    return make_rows(
        HARNESS,
        file,
        [_read_response(file, row, line) for line, row in pairs],
        references or [[_read_text(file, row["target"], "'target'", line)] for line, row in pairs],
        {"doc_id": ids, **share_columns([row.get("doc") for _, row in pairs])},
        lines=[line for line, _ in pairs],
        scores={
            name: [_read_number(file, row.get(name), repr(name), line) for line, row in pairs]
            for name in metrics
        },
    )


def _read_response(file: InputFile, row: Mapping[str, Any], line: int) -> str:
    """Return the only text that the model generated for a sample."""
    name = "filtered_resps" if "filtered_resps" in row else "resps"
    responses = row[name]
    # A filter that keeps the repeats of a request gives a list of one or more.
    while isinstance(responses, list) and len(responses) == 1:
        responses = responses[0]
    if isinstance(responses, list):
        message = (
            f"{name!r} has {len(responses)} responses; expected one generated text, as the filter "
            "take_first leaves it."
        )
        raise FileError(file.path, message, line)
    return _read_text(file, responses, repr(name), line)


def _read_lists(values: Sequence[Any]) -> list[list[str]] | None:
    """Return lists of texts, or that Python writes as texts; None if a value is another.

    >>> _read_lists(["['a b', 'c']", ["d"]]), _read_lists(["[laughs]"]), _read_lists(["[1]"])
    ([['a b', 'c'], ['d']], None, None)
    """
    lists: list[list[str]] = []
    for value in values:
        texts = value
        if isinstance(value, str) and value.startswith("["):
            try:
                texts = ast.literal_eval(value)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return None
        if not (isinstance(texts, list) and texts and all(isinstance(one, str) for one in texts)):
            return None
        lists.append(texts)
    return lists


def _have(rows: Any, *names: str) -> TypeGuard[list[Any]]:
    """Return whether a value is a list of one or more objects that have some names."""
    has_rows = isinstance(rows, list) and bool(rows)
    return has_rows and all(isinstance(row, dict) and {*names} <= row.keys() for row in rows)


def _read_comet(file: InputFile, value: Any) -> list[Rows]:
    """Read the systems of COMET; none if it is another file."""
    if not isinstance(value, dict):
        return []
    systems = value.get("translations")
    if {"statistical_results", "source"} <= value.keys() and _have(systems, "name", "mt", "scores"):
        given, value = value, {}
        for one in systems:
            columns = {"src": given["source"], "mt": one["mt"], COMET: one["scores"]}
            columns |= {"ref": given["reference"]} if "reference" in given else {}
            rows = zip(*check_lengths(file, columns).values(), strict=True)
            value[str(one["name"])] = [dict(zip(columns, row, strict=True)) for row in rows]
    cells = value.values()
    if value and all(isinstance(cell, list) and _have(cell[:1], "mt", COMET) for cell in cells):
        return [_read_comet_system(file, name, samples) for name, samples in value.items()]
    return []


def _read_comet_system(file: InputFile, system: str, samples: list[Any]) -> Rows:
    """Read the samples of one system of COMET."""
    names = ["mt", COMET, *(["ref"] if "ref" in samples[0] else [])]
    cells: dict[str, list[Any]] = {name: [] for name in names}
    for index, sample in enumerate(samples):
        for name in names:
            if not isinstance(sample, dict) or name not in sample:
                message = f"sample {index} of {system!r} has no {name!r}; run COMET again."
                raise FileError(file.path, message)
            read = _read_number if name == COMET else _read_text
            place = f"{name!r} of sample {index} of {system!r}"
            cells[name].append(read(file, sample[name], place))
    references = [[text] for text in cells.get("ref", ())] or None
    columns = share_columns(samples, *names)
    scores = {COMET: cells[COMET]}
    return make_rows(COMET, file, cells["mt"], references, columns, scores=scores, system=system)


def _read_coco(file: InputFile, value: Any) -> list[Rows]:
    """Read captions of COCO, one per image in results, several in annotations; or none."""
    is_result = isinstance(value, list)
    rows = value.get("annotations") if isinstance(value, dict) else value
    if not _have(rows, "image_id", "caption"):
        return []
    captions: dict[Any, list[str]] = {}
    for index, row in enumerate(rows):
        place = f"sample {index}" if is_result else f"annotation {index}"
        image = row["image_id"]
        if type(image) not in (int, str):
            raise FileError(file.path, f"'image_id' of {place} is {image!r}; expected an int.")
        texts = captions.setdefault(image, [])
        texts.append(_read_text(file, row["caption"], f"'caption' of {place}"))
        if is_result and len(texts) > 1:
            message = f"{place} is a second caption of the image {image}; expected one for each."
            raise FileError(file.path, message)
    ids, given = {"image_id": list(captions)}, list(captions.values())
    if is_result:
        return [make_rows("COCO", file, [text for (text,) in given], None, ids)]
    return [make_rows("COCO", file, None, given, ids, is_open=True)]


def _read_opencompass(file: InputFile, value: Any) -> list[Rows]:
    """Read the samples of OpenCompass, by their numbers; none if it is another file."""
    details = value.get("details", value) if isinstance(value, dict) else None
    if isinstance(details, list):
        details = {str(index): row for index, row in enumerate(details)}
    if not isinstance(details, dict):
        return []
    numbers = sorted((name for name in details if name.isdecimal()), key=int)
    rows = [details[number] for number in numbers]
    pairs = (("prediction", "gold"), ("predictions", "references"), ("pred", "answer"))
    keys = next((pair for pair in pairs if _have(rows, *pair)), None)
    if keys is None or not {*details} <= {*numbers, "type"}:
        return []
    texts: list[list[str]] = [[], []]
    for number, row in zip(numbers, rows, strict=True):
        for key, column in zip(keys, texts, strict=True):
            cell = row[key]
            if isinstance(cell, list) and cell and (key == keys[1] or len(cell) == 1):
                cell = cell[0]
            column.append(_read_text(file, cell, f"{key!r} of sample {number}"))
    references = _read_lists([row[keys[1]] for row in rows]) or [[text] for text in texts[1]]
    return [make_rows("OpenCompass", file, texts[0], references, share_columns(rows))]


def _read_lighteval(rows: Rows) -> list[Rows]:
    """Read the details of lighteval; none if it is another file of Parquet."""
    file, found = rows.file, {*(rows.names or ())}
    names = (("model_response", "doc"), ("predictions", "gold"))
    pair = next((pair for pair in names if {*pair} <= found), None)
    predictions, references, lines = [], [], []
    batches = rows.read(pair) if pair else ()
    for line, response, target in chain.from_iterable(
        zip(lines, *columns, strict=True) for lines, columns in batches
    ):
        if isinstance(response, str):
            return []
        texts, golds = response, target
        if isinstance(response, Mapping):
            choices, index = target.get("choices") or [], target.get("gold_index")
            texts, places = response.get("text"), index if isinstance(index, list) else [index]
            golds = [choices[at] for at in places if isinstance(at, int) and at < len(choices)]
        lines.append(line)
        if isinstance(texts, list):
            if len(texts) != 1:
                message = f"the prediction has {len(texts)} texts; expected one."
                raise FileError(file.path, message, line)
            texts = texts[0]
        predictions.append(_read_text(file, texts, "the prediction", line))
        golds = golds if isinstance(golds, list) and golds else [golds]
        references.append([_read_text(file, one, "the reference", line) for one in golds])
    return [make_rows("lighteval", file, predictions, references, lines=lines)] if lines else []


def _read_text(file: InputFile, value: Any, place: str, line: int | None = None) -> str:
    """Return a value that must be a text; raise FileError if it is not."""
    if not isinstance(value, str):
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        raise FileError(file.path, f"{place} is {show(value)}; expected a text.{remedy}", line)
    return value


def _read_number(file: InputFile, value: Any, place: str, line: int | None = None) -> float:
    """Return a value that must be a finite number or a bool; raise FileError if it is not."""
    try:
        number = float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        message = f"{place} is {show(value)}; expected a finite number."
        raise FileError(file.path, message, line)
    return number
