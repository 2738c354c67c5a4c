"""The work of ``bleu-rouge pick``; its flags are in ``candidate_flags.py``.

The choice is made in ``analysis/pairs/candidates.py``.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from ..analysis.pairs.candidates import select_best, select_consensus
from ..files.columns import REFERENCE_COLUMNS, ColumnChoice, MissingColumnError, read_column
from ..files.input import UTF8, FileError, FileFormat, InputFile, check_exists
from ..files.lines import hold_content
from ..files.sources import check_paths
from ..text.warnings import collect_warnings
from .candidate_flags import Method, PickFormat
from .checks import check_environment, read_choice
from .counting import name_file
from .file_flags import read_file_formats
from .messages import UsageError, one_line_warnings, print_content, print_error, usage_errors
from .option_flags import to_keywords
from .record_files import check_record_path, dump_lines, write_files

_FORMATS: Final = {PickFormat.JSONL: FileFormat.JSONL, PickFormat.TEXT: FileFormat.TEXT}
_REFERENCES: Final = "--reference-column"
_FLAGS: Final = {"score": "--score"}
_HOW: Final = {
    Method.CONSENSUS: "by their mean {} against each other (minimum Bayes risk)",
    Method.BEST: "by their {} against the references (best of n)",
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


def run_pick(
    path: str,
    *,
    column: str | None,
    reference_column: str | None,
    method: str | None,
    score: str,
    report_format: str,
    output: str | None,
    **parameters: Any,
) -> None:
    """Pick candidates; the parameters are the flags as they were typed.

    Raises:
        FileError: the file cannot be read, or the output cannot be written.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors(_FLAGS):
            check_environment()
            asked = None if method is None else read_choice("--method", method, Method)
            written = read_choice("--format", report_format, PickFormat)
            options = to_keywords(parameters)
            _check_score(asked or Method.CONSENSUS, score, options)
            file = InputFile.from_path(path, **read_file_formats(parameters))
        if asked is Method.CONSENSUS and reference_column is not None:
            raise UsageError(f"--method consensus uses no references; leave out {_REFERENCES}.")
        if output is not None:
            check_record_path("--output", output, _FORMATS[written], [path], or_stdout=True)
        groups, references = _read(file, column, reference_column, asked)
        if written is PickFormat.TEXT:
            _check_lines(groups)
        chosen = Method.CONSENSUS if references is None else Method.BEST
        with usage_errors(_FLAGS):
            _check_score(chosen, score, options)
        with name_file(path):
            picked = list(_pick(groups.candidates, references, score, options))
        if written is PickFormat.TEXT:
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


def _check_score(method: Method, score: str, options: dict[str, Any]) -> None:
    """Raise unless candidates can be picked by this score with these options."""
    # What it warns of is warned of with the texts of the file.
    with collect_warnings():
        list(_pick([["text"]], [["text"]] if method is Method.BEST else None, score, options))


def _read(
    file: InputFile, column: str | None, reference_column: str | None, method: Method | None
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
    if method is Method.CONSENSUS:
        return groups, None
    others = ColumnChoice(
        reference_column, REFERENCE_COLUMNS, _REFERENCES, allows_lists=True, takes_only=False
    )
    try:
        values = [value for _, value in read_column(held, others)]
    except MissingColumnError:
        if method is Method.BEST:
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
