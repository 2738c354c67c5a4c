"""Check texts, and read the samples of one or several systems from files, within limits.

Files are read as the command reads them (``bleu_rouge_metric.files``), in a worker: a small file
may unpack to more than fits in memory.
"""

import codecs
import csv
import io
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from bleu_rouge_metric.files.input import UTF8, FileError, FileFormat, InputFile
from bleu_rouge_metric.files.samples import read_systems
from bleu_rouge_metric.files.sources import FileOptions, open_sources
from bleu_rouge_metric.messages import count_noun
from bleu_rouge_metric.text.warnings import collect_warnings

from .options import InputError
from .worker import ELSEWHERE

MAX_CHARACTERS: Final = 20_000  # of one text
MAX_REFERENCES: Final = 20  # of one sample
MAX_ROWS: Final = 10_000
MAX_FILE_CHARACTERS: Final = 20_000_000  # of all texts of a file
MAX_MEGABYTES: Final = 20  # of all files
MAX_SYSTEMS: Final = 6
EXAMPLES: Final = Path(__file__).resolve().parent.parent / "examples"

# Usual names of columns.
PREDICTIONS: Final = (
    *("prediction", "predictions", "hypothesis", "output", "generated", "candidate", "system"),
    *("translation", "response"),
)
REFERENCES: Final = (
    *("reference", "references", "target", "targets", "gold", "summary", "label", "answer"),
    *("highlights", "ground_truth"),
)
_OTHERS: Final = (
    *("", "id", "index", "source", "src", "document", "doc", "question", "prompt", "article"),
    *("text", "input", "context", "dialogue"),
)
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# The page has no flags.
_WITH_FLAG: Final = re.compile("[,;][^,;.]* --[^,;.]+")
_LABEL_FLAGS: Final = {"clusters": "--clusters", "groups": "--group-by"}
_MOST_SHOWN: Final = 500  # characters of a message; names of columns may be long and many


class Files(NamedTuple):
    """Uploaded files, and the columns to read.

    Attributes:
        systems: paths of one table, or of one or more files of predictions.
        references: paths of files of references; none if the others have them.
        columns: of the table, one per system; None to choose the usual ones.
        reference_column: of the table; None for the usual one.
        labels: columns by ``clusters`` and ``groups``.
    """

    systems: list[str]
    references: list[str]
    columns: list[str] | None = None
    reference_column: str | None = None
    labels: dict[str, str] = {}  # noqa: RUF012 - never changed


class SystemTexts(NamedTuple):
    """The texts of one or several systems.

    Attributes:
        predictions: one text per sample, by the name of the system.
        references: of each sample.
        labels: one text per sample, by ``clusters`` and ``groups``.
        source: what was read, in words.
        arguments: those of ``bleu-rouge`` for the same texts.
        warnings: about the files.
    """

    predictions: dict[str, list[str]]
    references: list[list[str]]
    labels: dict[str, Any]
    source: str
    arguments: list[str]
    warnings: list[str]


def check_text(place: str, value: object) -> str:
    """Return the value if it is a text that can be scored; errors begin with ``place``."""
    if not isinstance(value, str):
        kind = "missing" if value is None else f"of type {type(value).__name__}"
        raise InputError(f"{place}: the value is {kind}; expected a text.")
    if len(value) > MAX_CHARACTERS:
        raise InputError(
            f"{place}: the text has {len(value):,} characters; "
            f"this page scores texts of up to {MAX_CHARACTERS:,} characters."
        )
    return value


def check_pair(prediction: object, references: object) -> tuple[str, list[str]]:
    """Return a prediction and its references; raise InputError if they cannot be scored."""
    if not isinstance(references, list):
        raise InputError("references is not a list; expected a list of texts.")
    _check_count("The prediction", len(references))
    for place, text in enumerate(references, start=1):
        if not check_text(f"Reference {place}", text).strip():
            raise InputError(f"Reference {place} is empty; type a text.")
    return check_text("The prediction", prediction), references


def _check_count(place: str, count: int) -> None:
    if not 1 <= count <= MAX_REFERENCES:
        raise InputError(
            f"{place}: there are {count_noun(count, 'reference')}; expected 1 to {MAX_REFERENCES}."
        )


def read_names(files: Files) -> tuple[list[str], str]:
    """Return the columns of the only table, and what is unusual about the files."""
    if not files.systems:
        raise InputError("There is no file yet; upload one, or paste texts.")
    notes = []
    for path in map(Path, (*files.systems, *files.references)):
        if not path.stat().st_size:
            raise InputError(f"{path.name} is empty; expected one row or line for every sample.")
        options = _choose_options(path)
        facts = [f"{name} {value!r}" for name, value in options.items()]
        notes += [f"{path.name} is read with the {' and the '.join(facts)}."] if facts else []
    if len(files.systems) > 1:
        return [], " ".join(notes)
    try:
        first = files.systems[0]
        (source, *others) = open_sources(first, _choose_options(Path(first)), is_plain=False)
    except FileError as error:
        raise _convert(error) from error
    return [] if others or source.rows.program else list(source.names), " ".join(notes)


def choose_columns(names: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the columns of the systems and that of the references; empty if it is not clear.

    >>> choose_columns(["id", "Target", "output"]), choose_columns(["a", "b", "reference"])
    ((['output'], 'Target'), (['a', 'b'], 'reference'))
    """
    reference = next(
        (name for known in REFERENCES for name in names if name.casefold() == known), None
    )
    rest = [name for name in names if name != reference]
    usual = [name for name in rest if name.casefold() in PREDICTIONS]
    others = [name for name in rest if name.casefold() not in _OTHERS]
    return (usual or others)[:MAX_SYSTEMS], reference


def read_texts(files: Files) -> SystemTexts:
    """Read and check the texts of all systems."""
    names, note = read_names(files)
    columns, reference_column = files.columns or [], files.reference_column
    if names and files.columns is None:
        columns, usual = choose_columns(names)
        reference_column = reference_column or usual
    is_table = bool(names)
    if is_table and not files.references and not reference_column:
        raise InputError("Choose the column of the references.")
    if is_table and not columns:
        raise InputError("Choose the columns of the systems.")
    count = len(columns) or len(files.systems)
    if count > MAX_SYSTEMS:
        raise InputError(f"There are {count} systems; this page compares up to {MAX_SYSTEMS}.")
    options = _choose_options(Path(files.systems[0]))
    keywords: FileOptions = {**options}
    if is_table:
        keywords["reference_column"] = None if files.references else reference_column
    several = columns if len(columns) > 1 else []
    if len(columns) == 1:
        keywords["prediction_column"] = columns[0]
    flags = {_LABEL_FLAGS[name]: column for name, column in files.labels.items() if column}
    try:
        with collect_warnings() as warnings:
            found = read_systems(
                files.systems,
                files.references,
                columns=several,
                labels=flags,
                is_comparison=len(several or files.systems) > 1,
                **keywords,
            )
    except FileError as error:
        raise _convert(error) from error
    samples = list(found.systems.values())
    references = [texts for _, texts in samples[0].by_sample()]
    predictions = {
        columns[0] if len(columns) == 1 else name: list(one.predictions)
        for name, one in found.systems.items()
    }
    _check_size(predictions, references)
    paths = [Path(path).name for path in (*files.systems, *files.references)]
    source = " with ".join(
        filter(None, [", ".join(paths[: len(files.systems)]), *paths[len(files.systems) :]])
    )
    if columns:
        source += f", columns {', '.join(columns)} against {reference_column}"
    return SystemTexts(
        predictions,
        references,
        {name: found.labels[_LABEL_FLAGS[name]] for name, column in files.labels.items() if column},
        source,
        _write_arguments(files, columns, reference_column, options, flags),
        [*filter(None, [note]), *dict.fromkeys(warnings)],
    )


def _check_size(predictions: dict[str, list[str]], references: list[list[str]]) -> None:
    if len(references) > MAX_ROWS:
        raise InputError(
            f"There are {len(references):,} rows; this page scores up to {MAX_ROWS:,}."
        )
    characters = 0
    for system, texts in predictions.items():
        for row, text in enumerate(texts, start=1):
            characters += len(check_text(f"Row {row} of {system}", text))
    for row, texts in enumerate(references, start=1):
        _check_count(f"Row {row}", len(texts))
        characters += sum(len(check_text(f"Row {row}, a reference", text)) for text in texts)
    if characters > MAX_FILE_CHARACTERS:
        raise InputError(
            f"There are more than {MAX_FILE_CHARACTERS:,} characters of predictions and "
            f"references; score fewer rows at a time, {ELSEWHERE}"
        )


def _choose_options(path: Path) -> FileOptions:
    """Return the encoding and the delimiter that the beginning of an unusual file shows."""
    with path.open("rb") as file:
        head = file.read(4096)
    options: FileOptions = {"encoding": "utf-16"} if head.startswith(_UTF16) else {}
    if InputFile.from_path(str(path)).format is FileFormat.CSV:
        header = head.decode(options.get("encoding", UTF8), "ignore").partition("\n")[0]
        others = [sign for sign in (";", "\t", "|") if sign in header]
        if others and "," not in header:
            options["delimiter"] = max(others, key=header.count)
    return options


def _convert(error: FileError) -> InputError:
    """Return the error of the command without its flags and folders."""
    if isinstance(error.__cause__, MemoryError):
        raise error.__cause__
    name = Path(error.path).name
    place = name if error.line is None else f"{name}, line {error.line}"
    message = _WITH_FLAG.sub("", error.message)
    message = message.replace(f"{Path(error.path).parent}/", "")
    return InputError(f"{place}: {message[:_MOST_SHOWN]}{'…' * (len(message) > _MOST_SHOWN)}")


def _write_arguments(
    files: Files,
    columns: Sequence[str],
    reference_column: str | None,
    options: FileOptions,
    labels: dict[str, str],
) -> list[str]:
    """Return the arguments of the command for the same texts."""
    arguments = [Path(path).name for path in files.systems]
    flags: dict[str, str] = {}
    if len(columns) == 1:
        flags["--prediction-column"] = columns[0]
    elif columns:
        # The command reads the names as a line of CSV.
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(columns)
        flags["--system-columns"] = line.getvalue()
    if reference_column and not files.references:
        flags["--reference-column"] = reference_column
    flags |= {**labels, **{f"--{name}": str(value) for name, value in options.items()}}
    if files.references:
        arguments += ["--references", *(Path(path).name for path in files.references)]
    return [*arguments, *chain.from_iterable(flags.items())]
