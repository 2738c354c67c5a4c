"""Compare systems for ``bleu-rouge compare``: count their samples, test, and write the results.

The flags are in ``comparison_flags.py``, the tests in ``analysis/compare.py``.
"""

import csv
import json
from collections.abc import Container, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar

from ..analysis.compare import compare_systems
from ..analysis.design import check_design
from ..analysis.ranking import SystemRanking
from ..analysis.results import SystemComparison
from ..analysis.system_scores import OutsideScore
from ..files.input import FileError
from ..files.reading import SystemSamples
from ..messages import get_message
from ..options.options import Options
from ..options.profiles import Family
from ..scoring.lost_texts import warn_of_texts
from ..scoring.scorer import Scorer
from ..tables import Report, Result, write_csv
from ..text.empty_texts import warn_of_empty_texts
from .checks import check_seed_flag
from .counting import count_into
from .flag_words import write_flags
from .messages import UsageError
from .option_flags import to_int, to_number
from .progress import show_progress, show_steps
from .reports import ReportFormat, write_signature
from .sample_files import Columns, score_each

Compared = SystemComparison | SystemRanking
_ResultT = TypeVar("_ResultT", bound=SystemComparison | SystemRanking)

# Keywords of ``compare_systems`` in the words of the command.
FLAGS: Final = {
    "test": "--test",
    "n_resamples": "--resamples",
    "confidence": "--confidence",
    "alternative": "--alternative",
    "correction": "--correction",
    "convention": "--convention",
    "pairs": "--pairs",
    "baseline": "--baseline",
    "clusters": "--clusters",
    "groups": "--group-by",
    "scores": "--scores",
    "lower_is_better": "--lower-is-better",
}

# The value of --correction that stands for None.
_UNCORRECTED: Final = "none"

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
    "run_std",
    "error",
    "delta_error",
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
    *,
    n_resamples: str | None,
    confidence: str,
    seed: str,
    correction: str | None,
    has_runs: bool,
    **names: str | None,
) -> dict[str, Any]:
    """Return the keywords of ``compare_systems`` about the test; raise if one is invalid."""
    is_corrected = correction is None or correction.lower() != _UNCORRECTED
    if names["pairs"] is not None and not is_corrected:
        raise UsageError(
            f"--correction is {correction!r}, but --pairs corrects p for the number of pairs; "
            "leave one of the two out."
        )
    keywords: dict[str, Any] = {
        "n_resamples": None if n_resamples is None else to_int("n_resamples", n_resamples),
        "confidence": to_number("confidence", confidence),
        "seed": check_seed_flag(seed),
        "correction": correction if is_corrected else None,
        **names,
    }
    check_design(**keywords, has_runs=has_runs)
    return keywords


def choose_correction(scorer: Scorer, outside: Sized, differences: int) -> str | None:
    """Return the correction without ``--correction``: Holm's, if there are several p-values.

    Args:
        scorer: of one system.
        outside: the scores of other metrics.
        differences: how many differences each score has, those of groups among them.
    """
    scores = len(scorer.options.plan(scorer.families).scoring.names) + len(outside)
    return "holm" if scores * differences > 1 else None


def check_baseline(baseline: str | None, systems: Sequence[str]) -> None:
    """Raise UsageError unless the baseline is one of the systems."""
    if baseline is not None and baseline not in systems:
        names = ", ".join(map(repr, systems))
        raise UsageError(f"--baseline is {baseline!r}; expected one of {names}.")


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


def run_tests(scorers: Mapping[str, Any], **keywords: Any) -> Compared:
    """Compare systems that are counted, with a progress bar; the keywords of compare_systems."""
    with show_steps("resamples", "Testing") as progress, comparison_errors():
        result: Compared = compare_systems(scorers, progress=progress, **keywords)
        return result


def scale_scores(result: _ResultT, factor: int, outside: Container[str]) -> _ResultT:
    """Multiply all scores but the outside scores by a factor, in groups too."""
    tables: dict[str, Any] = {"rows": result.rows}
    if isinstance(result, SystemRanking):
        tables["pairs"] = result.pairs
    scaled: dict[str, Any] = {
        name: tuple(row if row.score in outside else _scale(row, factor) for row in rows)
        for name, rows in tables.items()
    }
    scaled["groups"] = {
        name: scale_scores(part, factor, outside) for name, part in result.groups.items()
    }
    return replace(result, **scaled)


def _scale(row: Any, factor: int) -> Any:
    values = row._asdict()
    changed = {name: values[name] * factor for name in _SCORED if values.get(name) is not None}
    return row._replace(**changed)


def list_samples(
    scorers: Mapping[str, Scorer], outside: Sequence[Mapping[str, OutsideScore]], factor: int
) -> Columns:
    """Return the scores of every sample: one column per system and score.

    Raises:
        FileError: two columns have the same name.
    """
    columns: dict[str, Any] = {}
    for (system, scorer), others in zip(scorers.items(), outside, strict=True):
        scores = dict(score_each(scorer, factor))
        columns.setdefault("index", scores.pop("index"))
        scores |= {score: each.samples.tolist() for score, each in others.items()}
        for score, values in scores.items():
            name = f"{system}_{score}"
            if name in columns:
                message = f"two columns would be called {name!r}; give the systems other names."
                raise FileError("--per-sample", message)
            columns[name] = values
    return columns


def write_result(result: Result, report_format: ReportFormat, signature: str) -> str:
    """Write a result as a text that ends with a line break.

    Args:
        result: of any analysis.
        report_format: JSON has everything, CSV every row.
        signature: what follows; empty for nothing.
    """
    if report_format is ReportFormat.JSON:
        return json.dumps(result.to_dict()) + "\n"
    if report_format is ReportFormat.CSV:
        head, rows = result.to_table()
        return write_csv([head, *rows, *([("signature", signature)] if signature else [])])
    writers = {ReportFormat.LATEX: Report.to_latex, ReportFormat.MARKDOWN: Report.to_markdown}
    write = writers.get(report_format, Report.to_text)
    return f"{write(result.report())}\n{write_signature(signature, report_format)}"
