"""The work of ``bleu-rouge pick``.

The choice is made in ``analysis/pairs/consensus.py`` and ``analysis/pairs/best.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from ..analysis.pairs.best import select_best
from ..analysis.pairs.consensus import select_consensus
from ..files.columns import ColumnChoice, MissingColumnError, read_column
from ..files.encodings import UTF8
from ..files.lines import FileError, FileFormat, InputFile, check_exists
from ..files.records import hold_content
from ..files.samples import REFERENCE_COLUMNS, check_paths
from ..text.warnings import collect_warnings
from .counting import name_file
from .messages import UsageError, print_content, print_error
from .record_files import check_record_path, dump_lines, write_files
from .values import Values

_FORMATS: Final = {"jsonl": FileFormat.JSONL, "text": FileFormat.TEXT}
_REFERENCES: Final = "--reference-column"
_HOW: Final = {
    "consensus": "by their mean {} against each other (minimum Bayes risk)",
    "best": "by their {} against the references (best of n)",
}


class _Groups(NamedTuple):
    """The candidates of each row, and its line.

    Attributes:
        path: of the file.
        candidates: at least one per row.
        lines: number of each row's line.
    """

    path: str
    candidates: list[list[str]]
    lines: list[int]


def run_pick(flags: Values) -> None:
    """Pick candidates.

    Raises:
        FileError: the file cannot be read, or the output cannot be written.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    written, output, score, options = flags.report_format, flags.output, flags.score, flags.keywords
    with flags.errors():
        _check_score(flags.method or "consensus", score, options)
    file = InputFile.from_path(flags.path, **flags.files)
    if flags.method == "consensus" and flags.reference_column is not None:
        raise UsageError(f"--method consensus uses no references; leave out {_REFERENCES}.")
    if output is not None:
        check_record_path("--output", output, _FORMATS[written], [flags.path], or_stdout=True)
    groups, references = _read(file, flags.column, flags.reference_column, flags.method)
    if written == "text":
        _check_lines(groups)
    chosen = "consensus" if references is None else "best"
    with flags.errors():
        _check_score(chosen, score, options)
    with name_file(flags.path):
        picked = list(_pick(groups.candidates, references, score, options))
    if written == "text":
        content = "".join(f"{one['text']}\n" for one in picked).encode()
    else:
        content = dump_lines(picked)
    if output is None:
        print_content(content, UTF8)
    else:
        write_files({output: content})
    how = _HOW[chosen].format(score)
    count = sum(map(len, groups.candidates))
    print_error(f"picked {len(picked):,} of {count:,} candidates {how}.")


def _check_score(method: str, score: str, options: dict[str, Any]) -> None:
    """Raise unless candidates can be picked by this score with these options."""
    # What it warns of is warned of with the texts of the file.
    with collect_warnings():
        list(_pick([["text"]], [["text"]] if method == "best" else None, score, options))


def _read(
    file: InputFile, column: str | None, reference_column: str | None, method: str | None
) -> tuple[_Groups, list[list[str]] | None]:
    """Return the candidates, and the references of each row; None if they are not used."""
    check_paths([file])
    if file.format is FileFormat.TEXT:
        check_exists(file.path)
        message = (
            "plain text has no lists of candidates; give a file such as .jsonl, or the format of "
            "standard input with --stdin-format."
        )
        raise FileError(file.path, message)
    held = hold_content(file)
    choice = ColumnChoice(
        column, ("candidates",), "--column", allows_lists=True, takes_only=True, is_group=True
    )
    rows = list(read_column(held, choice))
    if not rows:
        raise FileError(file.path, "the file has no candidates; expected at least one row.")
    groups = _Groups(
        file.path, [cast("list[str]", value) for _, value in rows], [line for line, _ in rows]
    )
    if method == "consensus":
        return groups, None
    others = ColumnChoice(
        reference_column, REFERENCE_COLUMNS, _REFERENCES, allows_lists=True, takes_only=False
    )
    try:
        values = [value for _, value in read_column(held, others)]
    except MissingColumnError:
        if method == "best":
            raise
        return groups, None
    return groups, [[value] if isinstance(value, str) else value for value in values]


def _check_lines(groups: _Groups) -> None:
    """Raise FileError for a candidate that a file of plain text cannot hold in one line."""
    for candidates, line in zip(groups.candidates, groups.lines, strict=True):
        for index, text in enumerate(candidates):
            has_break = "\n" in text or text.endswith("\r")
            if has_break or not _is_unicode(text):
                what = "a line break" if has_break else "half of a surrogate pair"
                message = (
                    f"candidate {index} has {what}, which --format text cannot write; use --format "
                    "jsonl."
                )
                raise FileError(groups.path, message, line)


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _pick(
    candidates: Sequence[list[str]],
    references: Sequence[list[str]] | None,
    score: str,
    options: dict[str, Any],
) -> Iterator[dict[str, Any]]:
    """Iterate over the candidates that are picked, one per group."""
    if references is None:
        consensus = select_consensus(candidates, score, **options)
        index, texts, scores = consensus.index, consensus.texts, consensus.expected
    else:
        best = select_best(candidates, references, score, **options)
        index, texts, scores = best.index, best.texts, best.scores
    for place, text, values in zip(index.tolist(), texts, scores, strict=True):
        yield {"index": place, "text": text, "score": float(values[place])}
