"""Compare systems for ``bleu-rouge compare``: count their samples, test, and write the results.

The flags are in ``comparison_flags.py``, the tests in ``analysis/significance.py``.
"""

import csv
import json
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from ..analysis.significance import compare_systems
from ..analysis.significance_design import check_design, check_outside_scores
from ..analysis.system_comparison import SystemComparison, SystemScore
from ..families.registry import find_family
from ..files.lines import FileError, InputFile, read_lines
from ..files.systems import SystemSamples, name_systems
from ..files.tool_files import read_tool_systems
from ..files.tool_samples import Source, share_scores
from ..messages import get_message
from ..options.options import Options
from ..options.profiles import Family
from ..scoring.lost_texts import warn_of_texts
from ..scoring.scorer import Scorer
from ..tables import write_csv
from ..text.empty_texts import warn_of_empty_texts
from .checks import check_seed_flag
from .comparison_flags import ComparisonFormat
from .counting import count_into
from .flag_words import write_flags
from .messages import UsageError
from .option_flags import to_int, to_number
from .progress import show_progress, show_steps
from .sample_files import Columns, score_each

# Keywords of ``compare_systems`` in the words of the command.
FLAGS: Final = {
    "test": "--test",
    "n_resamples": "--resamples",
    "confidence": "--confidence",
    "alternative": "--alternative",
    "correction": "--correction",
    "convention": "--convention",
    "clusters": "--clusters",
    "groups": "--group-by",
    "scores": "--scores",
}

# The numbers of a row that are in the units of its score.
_SCORED: Final = (
    "value",
    "low",
    "high",
    "delta",
    "delta_low",
    "delta_high",
    "detectable",
    "mean",
    "scale",
)


@contextmanager
def comparison_errors() -> Iterator[None]:
    """Convert errors of the arguments of a comparison to ``UsageError``, which names flags."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise UsageError(write_flags(get_message(error), FLAGS)) from error


def split_systems(columns: Sequence[str]) -> list[str]:
    """Return the names of columns between commas; a name with a comma is quoted as in CSV.

    >>> split_systems(["a,b", '"c,d"'])
    ['a', 'b', 'c,d']
    """
    try:
        return [name for row in csv.reader(columns) for name in row]
    except csv.Error as error:
        raise UsageError(
            f"--systems is {','.join(columns)!r}; expected names of columns in one line of CSV."
        ) from error


def check_files(
    systems: Sequence[str], columns: Sequence[str], prediction_column: str | None
) -> None:
    """Raise UsageError if columns are named, but not two or more of one file."""
    if columns and len(systems) != 1:
        raise UsageError(
            f"--systems names columns of one file, but {len(systems)} files are given; give one, "
            "or leave --systems out."
        )
    if columns and prediction_column is not None:
        raise UsageError("--systems and --prediction-column exclude each other; give one of them.")
    if "" in columns or len(columns) == 1:
        raise UsageError(
            f"--systems is {','.join(columns)!r}; expected two or more names of columns, such as "
            "old,new."
        )


def read_design(
    *, n_resamples: str | None, confidence: str, seed: str, **names: str | None
) -> dict[str, Any]:
    """Return the keywords of ``compare_systems`` about the test; raise if one is invalid."""
    keywords: dict[str, Any] = {
        "n_resamples": None if n_resamples is None else to_int("n_resamples", n_resamples),
        "confidence": to_number("confidence", confidence),
        "seed": check_seed_flag(seed),
        **names,
    }
    check_design(**keywords, draw=0)
    return keywords


def check_baseline(baseline: str | None, systems: Sequence[str]) -> None:
    """Raise UsageError unless the baseline is one of the systems."""
    if baseline is not None and baseline not in systems:
        names = ", ".join(map(repr, systems))
        raise UsageError(f"--baseline is {baseline!r}; expected one of {names}.")


def read_outside_scores(path: str | None, samples: SystemSamples) -> dict[str, Any]:
    """Read scores by other metrics from result files of systems, and from a file of scores.

    Args:
        path: path of a JSON file: ``{"comet": {"a": [0.5, 0.7], "b": [0.6, 0.7]}}``, or a file of
            COMET; None if none is given.
        samples: those of the systems.

    Raises:
        FileError: the file cannot be read, or does not fit the systems and samples.
    """
    # lm-evaluation-harness has scores that are also computed here.
    scores: dict[str, Any] = {
        name if find_family(name) is None else f"file_{name}": numbers
        for name, numbers in samples.scores.items()
    }
    if path is None:
        return scores
    given = _read_scores(path)
    try:
        first = next(iter(samples.systems.values()))
        check_outside_scores(given, list(samples.systems), len(first.predictions))
    except (TypeError, ValueError) as error:
        raise FileError(path, str(error)) from error
    for name in given:
        if name in scores:
            message = f"the files of the systems have scores {name!r} too; give them once."
            raise FileError(path, message)
    return {**scores, **given}


def _read_scores(path: str) -> dict[str, Any]:
    """Return the value of a JSON file of scores, or the scores of a file of COMET."""
    file, tools = read_tool_systems(InputFile.from_path(path))
    if any(tool.ids for tool in tools):
        message = "this is a file of lm-evaluation-harness; give it as one of the systems."
        raise FileError(path, message)
    if tools:
        names = name_systems([tool.path for tool in tools])
        return share_scores(dict(zip(names, (Source(file, tool) for tool in tools), strict=True)))
    text = "".join(line for _, line in read_lines(file))
    try:
        scores: dict[str, Any] = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg} (column {error.colno})."
        raise FileError(path, message, error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise FileError(path, f"not readable JSON: {error}.") from error
    return scores


def count_systems(
    samples: SystemSamples, options: Options, families: Sequence[Family], seed: int
) -> dict[str, Scorer]:
    """Count the samples of each system."""
    scorers: dict[str, Scorer] = {}
    total = sum(len(one.predictions) for one in samples.systems.values())
    with show_progress(total) as advance:
        for name, one in samples.systems.items():
            warn_of_empty_texts(one, name, check_references=not scorers)
            scorers[name] = Scorer.from_options(options, families, seed)
            count_into(scorers[name], one, samples.paths[name], advance)
            if len(scorers) == 1:
                # Warnings about the other systems would mostly repeat it.
                warn_of_texts(one, scorers[name].counts(), options.plan(families).counting)
    return scorers


def run_tests(scorers: Mapping[str, Scorer], **keywords: Any) -> SystemComparison:
    """Compare systems that are counted, with a progress bar; the keywords of compare_systems."""
    with show_steps("resamples", "Testing") as progress, comparison_errors():
        return compare_systems(scorers, progress=progress, **keywords)


def scale_scores(
    comparison: SystemComparison, factor: int, outside: Container[str]
) -> SystemComparison:
    """Multiply all scores but the outside scores by a factor, in the groups too."""
    return replace(
        comparison,
        rows=tuple(row if row.score in outside else _scale(row, factor) for row in comparison.rows),
        groups={
            name: scale_scores(part, factor, outside) for name, part in comparison.groups.items()
        },
    )


def _scale(row: SystemScore, factor: int) -> SystemScore:
    values = row._asdict()
    changed = {name: values[name] * factor for name in _SCORED if values[name] is not None}
    return row._replace(**changed)


def list_samples(
    scorers: Mapping[str, Scorer], outside: Mapping[str, Mapping[str, Sequence[float]]], factor: int
) -> Columns:
    """Return the scores of every sample: one column per system and score.

    Raises:
        FileError: two columns have the same name.
    """
    columns: dict[str, Any] = {}
    for system, scorer in scorers.items():
        scores = dict(score_each(scorer, factor))
        columns.setdefault("index", scores.pop("index"))
        scores |= {score: list(map(float, numbers[system])) for score, numbers in outside.items()}
        for score, values in scores.items():
            name = f"{system}_{score}"
            if name in columns:
                message = f"two columns would be called {name!r}; give the systems other names."
                raise FileError("--per-sample", message)
            columns[name] = values
    return columns


def report_systems(
    comparison: SystemComparison, report_format: ComparisonFormat, *, is_signed: bool
) -> str:
    """Write the comparison as a text that ends with a line break.

    Args:
        comparison: result of ``compare_systems``.
        report_format: JSON has everything, CSV one row per system and score; the other formats
            are those of ``SystemComparison``.
        is_signed: whether the signature follows.
    """
    if report_format is ComparisonFormat.JSON:
        return json.dumps(comparison.to_dict()) + "\n"
    line = comparison.signature()
    if report_format is ComparisonFormat.CSV:
        head, rows = comparison.to_table()
        return write_csv([head, *rows, *([("signature", line)] if is_signed else [])])
    if report_format is ComparisonFormat.LATEX:
        # A % starts a comment of LaTeX.
        return comparison.to_latex() + "\n" + f"% {line}\n" * is_signed
    if report_format is ComparisonFormat.MARKDOWN:
        # The "|" of the signature would make it a table.
        return comparison.to_markdown() + "\n" + f"\n`{line}`\n" * is_signed
    return str(comparison) + "\n" + f"\n{line}\n" * is_signed
