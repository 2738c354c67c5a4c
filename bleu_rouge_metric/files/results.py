"""Recognise the files of other programs by their content, and read the systems in them.

The formats were read from the source code of the programs:

- lm-evaluation-harness (0.4.13): ``--log_samples`` writes one file ``samples_TASK_DATE.jsonl`` per
  task, whose objects have ``doc_id``, ``doc``, ``target``, ``arguments``, ``resps``,
  ``filtered_resps``, ``filter``, ``metrics`` and the value of each metric. The file has every
  sample once for each filter. 0.4.2 writes one JSON array; 0.4.5 and earlier have neither
  ``filter`` nor ``metrics``.
- COMET (2.2.7): ``comet-score --to_json`` writes an object that maps the file of each system to a
  list of samples, ``{"src", "mt", "ref", "COMET"}``; ``comet-compare --to_json`` an object with
  the lists ``source``, ``reference`` and ``translations``. Without references ``ref`` is missing.
- OpenCompass: an object that maps the number of a sample to ``prediction`` and ``gold``, or a
  result whose ``details`` map it to ``predictions`` and ``references``.
- COCO: results are a list of ``{"image_id", "caption"}``; annotations an object with ``images``
  and ``annotations``, several captions per image.
- lighteval: details in Parquet with ``predictions`` and ``gold``, or ``model_response`` and
  ``doc``.
- sacrebleu (2.6.0): the JSON of its command has scores of whole corpora and no texts, so it is an
  error.
"""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from .input import FileError, FileFormat, InputFile
from .json_values import Document, JsonValue, find_document, read_json
from .lines import read_lines
from .opening import examine
from .rows import Rows, open_rows
from .tables import Table, read_number, read_text

HARNESS: Final = "lm-evaluation-harness"
COMET: Final = "COMET"
COCO: Final = "COCO"

_NO_TEXTS: Final = (
    "this is the output of sacrebleu, which has scores of a whole corpus and no texts; give the "
    "files of texts that sacrebleu read, with --profile sacrebleu for its scores."
)
# How the harness calls the filter of a task without filters.
_NO_FILTER: Final = "none"
_HARNESS_KEYS: Final = frozenset(
    {
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    }
)


class Content(NamedTuple):
    """What a file contains.

    Attributes:
        file: the file, with its content if it can be read only once and was read.
        tables: of the systems in a file of another program; else empty.
        document: the JSON value that was read, if any.
        rows: of another file of Parquet, which is opened once; else None.
    """

    file: InputFile
    tables: list[Table]
    document: Document | None = None
    rows: Rows | None = None


def open_content(
    file: InputFile, filter_name: str | None = None, translator: str | None = None
) -> list[Table]:
    """Return the systems in a file of another program; none for another file.

    The arguments and errors are those of :func:`find_content`.
    """
    return find_content(file, filter_name, translator).tables


def find_content(
    file: InputFile, filter_name: str | None = None, translator: str | None = None
) -> Content:
    """Find out what a file contains; its name is not considered.

    Args:
        file: any file.
        filter_name: of lm-evaluation-harness; None for the only filter of a file.
        translator: of a test set, whose references are read; None for all.

    Raises:
        FileError: the file is recognised, but lacks texts or has wrong values; or it is of a kind
            that is not read.
    """
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
    if document is None:
        return Content(file, [])
    return Content(file, _read_document(file, document, filter_name), document)


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
    return (
        _read_comet_file(file, value)
        or _read_coco_file(file, value)
        or _read_opencompass(file, value)
    )


def _is_harness(value: Any) -> bool:
    """Return whether a JSON value is a sample that lm-evaluation-harness logged."""
    return (
        isinstance(value, dict)
        and {"doc_id", "target"} <= value.keys()
        and ("filtered_resps" in value or "resps" in value)
    )


def _read_harness(file: InputFile, values: Iterable[JsonValue], filter_name: str | None) -> Table:
    """Read the samples of the harness, ordered by ``doc_id``.

    A response is the first of ``filtered_resps``. A target that is the text of a Python list of
    texts in every sample, as the harness writes a task with several references, is read as such.
    Metrics whose values are not numbers, such as the pairs of texts of corpus BLEU, are left out.
    """
    samples = _choose_filter(file, [_check_sample(file, one) for one in values], filter_name)
    samples.sort(key=lambda sample: int(sample.value["doc_id"]))
    ids = [int(sample.value["doc_id"]) for sample in samples]
    for previous, number, sample in zip(ids, ids[1:], samples[1:], strict=False):
        if number == previous:
            message = f"'doc_id' is {number} for the second time; expected each sample once."
            raise FileError(file.path, message, sample.line)
    first = samples[0].value
    names = first.get("metrics")
    names = names if isinstance(names, list) else first.keys() - _HARNESS_KEYS
    metrics = [name for name in first if name in names and isinstance(first[name], int | float)]
    targets = _read_lists([sample.value["target"] for sample in samples])
    return Table(
        HARNESS,
        file,
        file.path,
        [_read_response(file, sample) for sample in samples],
        targets
        or [[read_text(file, one.value["target"], "'target'", one.line)] for one in samples],
        {
            name: [read_number(file, one.value.get(name), repr(name), one.line) for one in samples]
            for name in metrics
        },
        _share_columns([sample.value.get("doc") for sample in samples]),
        [sample.line for sample in samples],
        ids,
        "doc_id",
    )


def _choose_filter(
    file: InputFile, samples: Sequence[JsonValue], filter_name: str | None
) -> list[JsonValue]:
    """Return the samples of one filter."""
    by_filter: dict[str, list[JsonValue]] = {}
    for sample in samples:
        by_filter.setdefault(str(sample.value.get("filter", _NO_FILTER)), []).append(sample)
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
    if not _is_harness(value):
        message = f"the {kind} is not a sample of lm-evaluation-harness, as {kind} 1 is."
        raise FileError(file.path, message, line)
    number = value["doc_id"]
    if isinstance(number, bool) or not isinstance(number, int):
        raise FileError(file.path, f"'doc_id' is {number!r}; expected an int.", line)
    return found


def _read_response(file: InputFile, sample: JsonValue) -> str:
    """Return the only text that the model generated for a sample."""
    line, value, _ = sample
    name = "filtered_resps" if "filtered_resps" in value else "resps"
    responses = value[name]
    if _holds_likelihoods(value.get("arguments")):
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
    return read_text(file, responses, repr(name), line)


def _holds_likelihoods(arguments: Any) -> bool:
    """Return whether a request asks for the likelihood of a text, its second argument."""
    requests: Sequence[Any] = list(
        arguments.values() if isinstance(arguments, dict) else arguments or ()
    )
    if not requests:
        return False
    request = requests[0]
    parts = list(request.values() if isinstance(request, dict) else request)
    return len(parts) > 1 and isinstance(parts[1], str)


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


def _share_columns(rows: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the columns that all rows have; none if a row is not an object."""
    if not all(isinstance(row, dict) for row in rows):
        return {}
    return {name: [row[name] for row in rows] for name in rows[0] if all(name in r for r in rows)}


def _is_score_output(value: Any) -> bool:
    """Return whether a JSON value is the output of comet-score."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(
            isinstance(samples, list)
            and bool(samples)
            and isinstance(samples[0], dict)
            and {"mt", COMET} <= samples[0].keys()
            for samples in value.values()
        )
    )


def _is_compare_output(value: Any) -> bool:
    """Return whether a JSON value is the output of comet-compare."""
    return (
        isinstance(value, dict)
        and {"statistical_results", "source", "translations"} <= value.keys()
        and isinstance(value["translations"], list)
        and all(
            isinstance(system, dict) and {"name", "mt", "scores"} <= system.keys()
            for system in value["translations"]
        )
    )


def _read_comet_file(file: InputFile, value: Any) -> list[Table]:
    """Read the systems of COMET; none if it is another file."""
    if _is_score_output(value):
        return [_read_comet(file, path, samples) for path, samples in value.items()]
    if _is_compare_output(value):
        return [
            _read_comet(file, str(system["name"]), _list_comet(file, value, system))
            for system in value["translations"]
        ]
    return []


def _list_comet(file: InputFile, value: Any, system: Any) -> list[dict[str, Any]]:
    """Return the samples of one system of ``comet-compare`` as ``comet-score`` writes them."""
    columns = {"src": value["source"], "mt": system["mt"], COMET: system["scores"]}
    if "reference" in value:
        columns["ref"] = value["reference"]
    for name, column in columns.items():
        if not isinstance(column, list) or len(column) != len(value["source"]):
            message = (
                f"{name!r} of {system['name']!r} is not a list with one item for each of the "
                f"{len(value['source']):,} sources; run comet-compare again."
            )
            raise FileError(file.path, message)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _read_comet(file: InputFile, path: str, samples: list[Any]) -> Table:
    """Read the samples of one system of COMET."""
    names = [name for name in ("mt", COMET, "ref") if name != "ref" or "ref" in samples[0]]
    for index, sample in enumerate(samples):
        missing = [name for name in names if not isinstance(sample, dict) or name not in sample]
        if missing:
            message = f"sample {index} of {path!r} has no {missing[0]!r}; run COMET again."
            raise FileError(file.path, message)

    def read(name: str, check: Callable[[InputFile, Any, str], Any]) -> list[Any]:
        return [
            check(file, sample[name], f"{name!r} of sample {index} of {path!r}")
            for index, sample in enumerate(samples)
        ]

    references = [[text] for text in read("ref", read_text)] if "ref" in names else None
    columns = {k: v for k, v in _share_columns(samples).items() if k not in names}
    scores = {COMET: read(COMET, read_number)}
    return Table(COMET, file, path, read("mt", read_text), references, scores, columns)


def _is_sacrebleu(row: Any) -> bool:
    """Return whether a JSON value is what the command sacrebleu writes for a system.

    >>> _is_sacrebleu({"system": "a", "BLEU": "34.2"}), _is_sacrebleu({"system": "a text"})
    (True, False)
    """
    if not isinstance(row, dict):
        return False
    scores = [value for name, value in row.items() if name != "system"]
    is_row = "system" in row and bool(scores) and all(map(_is_score, scores))
    return {"name", "score", "signature"} <= row.keys() or is_row


def _is_score(value: Any) -> bool:
    if isinstance(value, dict):
        return {"score", "p_value"} <= value.keys()
    try:
        return isinstance(value, str) and float(value.split()[0]) >= 0
    except (IndexError, ValueError):
        return False


def _read_coco_file(file: InputFile, value: Any) -> list[Table]:
    """Read the captions of COCO; none if it is another file."""
    is_result = isinstance(value, list)
    rows = value.get("annotations") if isinstance(value, dict) else value
    if not isinstance(rows, list) or not rows:
        return []
    if not all(isinstance(row, dict) and {"image_id", "caption"} <= row.keys() for row in rows):
        return []
    return [_read_coco(file, rows, is_result=is_result)]


def _read_coco(file: InputFile, rows: Sequence[Any], *, is_result: bool) -> Table:
    """Read the captions of images: one for each in results, several in annotations."""
    captions: dict[Any, list[str]] = {}
    for index, row in enumerate(rows):
        place = f"sample {index}" if is_result else f"annotation {index}"
        image = row.get("image_id")
        if isinstance(image, bool) or not isinstance(image, int | str):
            raise FileError(file.path, f"'image_id' of {place} is {image!r}; expected an int.")
        texts = captions.setdefault(image, [])
        texts.append(read_text(file, row["caption"], f"'caption' of {place}"))
        if is_result and len(texts) > 1:
            message = f"{place} is a second caption of the image {image}; expected one for each."
            raise FileError(file.path, message)
    ids = list(captions)
    if is_result:
        predictions = [texts[0] for texts in captions.values()]
        return Table(COCO, file, file.path, predictions, ids=ids, id_name="image_id")
    references = list(captions.values())
    table = Table(COCO, file, file.path, None, references, ids=ids, id_name="image_id")
    return table._replace(is_open=True)


def _read_opencompass(file: InputFile, value: Any) -> list[Table]:
    """Read the samples of OpenCompass, by their numbers; none if it is another file."""
    details = value.get("details", value) if isinstance(value, dict) else None
    if isinstance(details, list):
        details = {str(index): row for index, row in enumerate(details)}
    if not isinstance(details, dict):
        return []
    numbers = sorted((name for name in details if name.isdecimal()), key=int)
    rows = [details[number] for number in numbers]
    keys = _find_keys(rows)
    if keys is None or not {*details} <= {*numbers, "type"}:
        return []
    texts = [
        [_unpack(file, row[key], number, key) for number, row in zip(numbers, rows, strict=True)]
        for key in keys
    ]
    golds = [row[keys[1]] for row in rows]
    references = _read_lists(golds) or [[text] for text in texts[1]]
    columns = _share_columns(rows)
    return [Table("OpenCompass", file, file.path, texts[0], references, columns=columns)]


def _find_keys(rows: Sequence[Any]) -> tuple[str, str] | None:
    """Return the keys of the predictions and the references of OpenCompass; None if missing."""
    for pair in (("prediction", "gold"), ("predictions", "references"), ("pred", "answer")):
        if rows and all(isinstance(row, dict) and {*pair} <= row.keys() for row in rows):
            return pair
    return None


def _unpack(file: InputFile, value: Any, number: str, key: str) -> str:
    """Return the text of a value, or that of a list of one text."""
    is_list = isinstance(value, list) and value
    if (key in ("gold", "references", "answer") and is_list) or (is_list and len(value) == 1):
        value = value[0]
    return read_text(file, value, f"{key!r} of sample {number}")


def _read_lighteval(rows: Rows) -> list[Table]:
    """Read the details of lighteval; none if it is another file of Parquet."""
    file = rows.file
    names = set(rows.names or ())
    if {"doc", "model_response"} <= names:
        pair: tuple[str, ...] = ("model_response", "doc")
    elif {"predictions", "gold"} <= names:
        pair = ("predictions", "gold")
    else:
        return []
    if str(rows.types[pair[0]]) in ("string", "large_string"):
        return []
    predictions, references, lines = [], [], []
    batches = (zip(lines, *columns, strict=True) for lines, columns in rows.read(pair))
    for line, response, target in chain.from_iterable(batches):
        is_struct = isinstance(response, Mapping)
        texts = response.get("text") if is_struct else response
        golds = _find_golds(target) if is_struct else target
        lines.append(line)
        if isinstance(texts, list):
            if len(texts) != 1:
                message = f"the prediction has {len(texts)} texts; expected one."
                raise FileError(file.path, message, line)
            texts = texts[0]
        predictions.append(read_text(file, texts, "the prediction", line))
        golds = golds if isinstance(golds, list) and golds else [golds]
        references.append([read_text(file, one, "the reference", line) for one in golds])
    return [Table("lighteval", file, file.path, predictions, references, lines=lines)]


def _find_golds(doc: Mapping[str, Any]) -> list[Any]:
    """Return the right choices of a sample of lighteval."""
    choices, index = doc.get("choices") or [], doc.get("gold_index")
    places = index if isinstance(index, list) else [index]
    return [choices[place] for place in places if isinstance(place, int) and place < len(choices)]
