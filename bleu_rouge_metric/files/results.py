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
- sacrebleu (2.6.0): its JSON has scores of whole corpora and no texts, so it is an error.
"""

import ast
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from .input import FileError, FileFormat, InputFile, Table
from .json_values import Document, JsonValue, check_lengths, find_document, read_json, show
from .lines import examine, read_lines
from .rows import Rows, open_rows

HARNESS: Final = "lm-evaluation-harness"
COMET: Final = "COMET"
COCO: Final = "COCO"

_NO_TEXTS: Final = (
    "this is the output of sacrebleu, which has scores of a whole corpus and no texts; give the "
    "files of texts that sacrebleu read, with --profile sacrebleu for its scores."
)
# A number, and what sacrebleu writes after it.
_SCORE: Final = re.compile(r"\d+(\.\d+)?(?![^ ])")
# How the harness calls the filter of a task without filters.
_NO_FILTER: Final = "none"
_HARNESS_KEYS: Final = {
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
    *("doc_hash", "prompt_hash", "target_hash"),
}


class Content(NamedTuple):
    """What a file contains."""

    file: InputFile  # with its content if it can be read only once and was read
    tables: list[Table]  # of the systems in a file of another program
    document: Document | None = None  # the JSON value that was read
    rows: Rows | None = None  # of another file of Parquet, which is opened once


def find_content(
    file: InputFile, filter_name: str | None = None, translator: str | None = None
) -> Content:
    """Find out what a file contains; its name is not considered."""
    file, head = examine(file)
    if file.format is FileFormat.PARQUET:
        rows = open_rows(file, is_examined=True)
        return Content(file, _read_lighteval(rows), rows=rows)
    if head.startswith("<"):
        # Importing it takes as long as reading a small file.
        from .markup import find_markup, read_markup

        file, markup = find_markup(file, head)
        if markup is not None:
            return Content(file, read_markup(file, markup, translator))
    file, document = find_document(file, head)
    tables = [] if document is None else _read_document(file, document, filter_name)
    return Content(file, tables, document)


def _read_document(file: InputFile, document: Document, filter_name: str | None) -> list[Table]:
    """Return the systems in a JSON file; none if it is not of a program."""
    value = document.value
    rows = value if isinstance(value, list) and value else [value]
    if _is_harness(rows[0]):
        values = read_json(file._replace(format=FileFormat.JSON), read_lines(file))
        return [_read_harness(file, values, filter_name)]
    if not document.is_whole:
        return []
    if all(map(_is_sacrebleu, rows)):
        raise FileError(file.path, _NO_TEXTS)
    return _read_comet(file, value) or _read_coco(file, value) or _read_opencompass(file, value)


def _is_harness(value: Any) -> bool:
    """Return whether a JSON value is a sample that lm-evaluation-harness logged."""
    return (
        isinstance(value, dict)
        and {"doc_id", "target"} <= value.keys()
        and ("filtered_resps" in value or "resps" in value)
    )


def _read_harness(file: InputFile, values: Iterable[JsonValue], filter_name: str | None) -> Table:
    """Read the samples of the harness, ordered by ``doc_id``."""
    samples = _choose_filter(file, values, filter_name)
    samples.sort(key=lambda sample: int(sample.value["doc_id"]))
    lines = [sample.line for sample in samples]
    rows = [sample.value for sample in samples]
    ids = [row["doc_id"] for row in rows]
    for previous, number, line in zip(ids, ids[1:], lines[1:], strict=False):
        if number == previous:
            message = f"'doc_id' is {number} for the second time; expected each sample once."
            raise FileError(file.path, message, line)
    names = rows[0].get("metrics")
    names = names if isinstance(names, list) else rows[0].keys() - _HARNESS_KEYS
    # The values of others are pairs of texts, such as those of corpus BLEU.
    metrics = [name for name, value in rows[0].items() if isinstance(value, int | float)]
    pairs = list(zip(rows, lines, strict=True))
    return Table(
        HARNESS,
        file,
        file.path,
        [_read_response(file, row, line) for row, line in pairs],
        # A task with several references has the text of a list of Python.
        _read_lists([row["target"] for row in rows])
        or [[_read_text(file, row["target"], "'target'", line)] for row, line in pairs],
        {
            name: [_read_number(file, row.get(name), repr(name), line) for row, line in pairs]
            for name in metrics
            if name in names
        },
        _share_columns([row.get("doc") for row in rows]),
        lines,
        ids,
        "doc_id",
    )


def _choose_filter(
    file: InputFile, values: Iterable[JsonValue], filter_name: str | None
) -> list[JsonValue]:
    """Return the samples of one filter; raise FileError if a value is not a sample."""
    by_filter: dict[str, list[JsonValue]] = {}
    for found in values:
        line, value, kind = found
        if not _is_harness(value):
            message = f"the {kind} is not a sample of lm-evaluation-harness, as {kind} 1 is."
            raise FileError(file.path, message, line)
        number = value["doc_id"]
        if isinstance(number, bool) or not isinstance(number, int):
            raise FileError(file.path, f"'doc_id' is {number!r}; expected an int.", line)
        by_filter.setdefault(str(value.get("filter", _NO_FILTER)), []).append(found)
    names = ", ".join(map(repr, by_filter))
    if filter_name is None and len(by_filter) > 1:
        message = (
            f"the file has responses of the filters {names}; choose one with --harness-filter."
        )
        raise FileError(file.path, message)
    if filter_name is not None and filter_name not in by_filter:
        message = f"the file has no filter {filter_name!r}; expected one of {names}."
        raise FileError(file.path, message)
    return by_filter[next(iter(by_filter)) if filter_name is None else filter_name]


def _read_response(file: InputFile, row: Mapping[str, Any], line: int) -> str:
    """Return the only text that the model generated for a sample."""
    name = "filtered_resps" if "filtered_resps" in row else "resps"
    responses = row[name]
    if _holds_likelihoods(row.get("arguments")):
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
            f"{name!r} has {len(responses)} responses; expected one, as the filter take_first "
            "leaves it."
        )
        raise FileError(file.path, message, line)
    return _read_text(file, responses, repr(name), line)


def _holds_likelihoods(arguments: Any) -> bool:
    """Return whether a request asks for the likelihood of a text, its second argument."""
    requests = _list_values(arguments or ())
    parts = _list_values(requests[0]) if requests else []
    return len(parts) > 1 and isinstance(parts[1], str)


def _list_values(value: Any) -> list[Any]:
    """Return the values of an object or a list."""
    return list(value.values() if isinstance(value, dict) else value)


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


def _share_columns(rows: Sequence[Any], *read: str) -> dict[str, list[Any]]:
    """Return the columns that all rows have, but those read; none if a row is not an object."""
    if not all(isinstance(row, dict) for row in rows):
        return {}
    names = [name for name in rows[0] if name not in read and all(name in row for row in rows)]
    return {name: [row[name] for row in rows] for name in names}


def _have(rows: Any, *names: str) -> bool:
    """Return whether a value is a list of one or more objects that have some names."""
    has_rows = isinstance(rows, list) and bool(rows)
    return has_rows and all(isinstance(row, dict) and {*names} <= row.keys() for row in rows)


def _read_comet(file: InputFile, value: Any) -> list[Table]:
    """Read the systems of COMET; none if it is another file."""
    if not isinstance(value, dict):
        return []
    systems = value.get("translations")
    if {"statistical_results", "source"} <= value.keys() and _have(systems, "name", "mt", "scores"):
        tables = []
        for system in value["translations"]:
            columns = {"src": value["source"], "mt": system["mt"], COMET: system["scores"]}
            if "reference" in value:
                columns["ref"] = value["reference"]
            rows = zip(*check_lengths(file, columns).values(), strict=True)
            samples = [dict(zip(columns, row, strict=True)) for row in rows]
            tables.append(_read_comet_system(file, str(system["name"]), samples))
        return tables
    cells = list(value.values())
    if cells and all(isinstance(cell, list) and _have(cell[:1], "mt", COMET) for cell in cells):
        return [_read_comet_system(file, path, samples) for path, samples in value.items()]
    return []


def _read_comet_system(file: InputFile, path: str, samples: list[Any]) -> Table:
    """Read the samples of one system of COMET."""
    names = ["mt", COMET, *(["ref"] if "ref" in samples[0] else [])]
    texts: dict[str, list[str]] = {"mt": [], "ref": []}
    scores = []
    for index, sample in enumerate(samples):
        for name in names:
            if not isinstance(sample, dict) or name not in sample:
                message = f"sample {index} of {path!r} has no {name!r}; run COMET again."
                raise FileError(file.path, message)
            place = f"{name!r} of sample {index} of {path!r}"
            if name == COMET:
                scores.append(_read_number(file, sample[name], place))
            else:
                texts[name].append(_read_text(file, sample[name], place))
    references = [[text] for text in texts["ref"]] or None
    columns = _share_columns(samples, *names)
    return Table(COMET, file, path, texts["mt"], references, {COMET: scores}, columns)


def _is_sacrebleu(row: Any) -> bool:
    """Return whether a JSON value is what the command sacrebleu writes for a system.

    >>> _is_sacrebleu({"system": "a", "BLEU": "34.2"}), _is_sacrebleu({"system": "a text"})
    (True, False)
    """
    if not isinstance(row, dict):
        return False
    cells = [cell for name, cell in row.items() if name != "system"]
    is_row = "system" in row and bool(cells)
    for cell in cells:
        is_text = isinstance(cell, str) and _SCORE.match(cell)
        is_row = is_row and bool(is_text or (isinstance(cell, dict) and "p_value" in cell))
    return is_row or {"name", "score", "signature"} <= row.keys()


def _read_coco(file: InputFile, value: Any) -> list[Table]:
    """Read captions of COCO, one per image in results, several in annotations; or none."""
    is_result = isinstance(value, list)
    rows = value.get("annotations") if isinstance(value, dict) else value
    if rows is None or not _have(rows, "image_id", "caption"):
        return []
    captions: dict[Any, list[str]] = {}
    for index, row in enumerate(rows):
        place = f"sample {index}" if is_result else f"annotation {index}"
        image = row["image_id"]
        if isinstance(image, bool) or not isinstance(image, int | str):
            raise FileError(file.path, f"'image_id' of {place} is {image!r}; expected an int.")
        texts = captions.setdefault(image, [])
        texts.append(_read_text(file, row["caption"], f"'caption' of {place}"))
        if is_result and len(texts) > 1:
            message = f"{place} is a second caption of the image {image}; expected one for each."
            raise FileError(file.path, message)
    table = Table(COCO, file, file.path, ids=list(captions), id_name="image_id")
    if is_result:
        return [table._replace(predictions=[texts[0] for texts in captions.values()])]
    return [table._replace(references=list(captions.values()), is_open=True)]


def _read_opencompass(file: InputFile, value: Any) -> list[Table]:
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
    columns = _share_columns(rows)
    return [Table("OpenCompass", file, file.path, texts[0], references, columns=columns)]


def _read_lighteval(rows: Rows) -> list[Table]:
    """Read the details of lighteval; none if it is another file of Parquet."""
    file = rows.file
    names = (("model_response", "doc"), ("predictions", "gold"))
    pair = next((pair for pair in names if {*pair} <= {*(rows.names or ())}), None)
    if pair is None or str(rows.types[pair[0]]) in ("string", "large_string"):
        return []
    predictions, references, lines = [], [], []
    batches = (zip(lines, *columns, strict=True) for lines, columns in rows.read(pair))
    for line, response, target in chain.from_iterable(batches):
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
    return [Table("lighteval", file, file.path, predictions, references, lines=lines)]


def _read_text(file: InputFile, value: Any, place: str, line: int | None = None) -> str:
    """Return a value that must be a text; raise FileError if it is not."""
    if not isinstance(value, str):
        remedy = " Fill it in, or leave the sample out." if value is None else ""
        raise FileError(file.path, f"{place} is {show(value)}; expected a text.{remedy}", line)
    return value


def _read_number(file: InputFile, value: Any, place: str, line: int | None = None) -> float:
    """Return a value that must be a finite number or a bool; raise FileError if it is not."""
    if not isinstance(value, int | float):
        raise FileError(file.path, f"{place} is {value!r}; expected a number.", line)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FileError(file.path, f"{place} is {value}; expected a finite number.", line)
    return number
