"""What the commands that compare systems share: read and count them, test, write the results."""

import csv
import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from ..analysis.outside_scores import OutsideScore
from ..analysis.ranking.system_ranking import SystemRanking
from ..analysis.sets.combine_sets import combine_sets
from ..analysis.sets.set_comparison import SetComparison
from ..analysis.significance import compare_systems
from ..analysis.system_comparison import SystemComparison
from ..files.lines import FileError
from ..files.systems import SystemSamples, read_systems
from ..options.options import Options
from ..options.profiles import Family
from ..scoring.lost_texts import warn_of_texts
from ..scoring.scorer import Scorer
from ..tables import write_csv
from ..text.empty_texts import warn_of_empty_texts
from .counting import count_into
from .messages import UsageError
from .progress import show_progress, show_steps
from .sample_files import Columns, score_each
from .values import Values

Result = SystemComparison | SystemRanking | SetComparison
_ResultT = TypeVar("_ResultT", bound=SystemComparison | SystemRanking | SetComparison)

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
    "margin",
    "run_std",
    "error",
    "delta_error",
)


def read_flags(flags: Values, *labels: str) -> SystemSamples:
    """Read the texts of the systems of a command.

    Args:
        flags: of the command.
        labels: names of the flags of labels of samples.
    """
    named = split_systems(flags.columns)
    check_files(flags.systems, named, flags.prediction_column)
    return read_systems(
        flags.systems,
        flags.references,
        columns=named,
        labels={flags.names[name]: value for name, value in flags.pick(*labels).items() if value},
        filter_name=getattr(flags, "harness_filter", None),
        **flags.files,
    )


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


def choose_margins(
    margin: float | None, scorer: Scorer, outside: Iterable[str], factor: int
) -> float | dict[str, float] | None:
    """Return the margins of scores before these are multiplied by a factor.

    Args:
        margin: in the units of the output.
        scorer: of one system.
        outside: names of outside scores, which are not multiplied.
        factor: of the others.
    """
    if margin is None or factor == 1:
        return margin
    parts = scorer.options.plan(scorer.families).scoring.parts.values()
    own = [name for part in parts for name in part.names]
    return {**dict.fromkeys(own, margin / factor), **dict.fromkeys(outside, margin)}


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


def check_test_sets(test_sets: str | None, others: Mapping[str, object]) -> None:
    """Raise UsageError if several test sets are given with a flag that they do not have."""
    for flag, value in others.items():
        if test_sets is not None and value is not None:
            raise UsageError(f"--test-sets and {flag} exclude each other; give one of them.")


def run_tests(
    flags: Values, scorers: Mapping[str, Any], *, groups: Any, test_sets: Any, **keywords: Any
) -> Result:
    """Compare systems that are counted, with a progress bar.

    Args:
        flags: of the command.
        scorers: of the systems.
        groups: labels of the samples; None for no groups.
        test_sets: labels of the samples; None for one test set.
        **keywords: others of ``compare_systems``.
    """
    with show_steps("resamples", "Testing") as progress, flags.errors():
        if test_sets is None:
            result: Result = compare_systems(scorers, progress=progress, groups=groups, **keywords)
            return result
        if len(set(test_sets)) < 2:
            raise UsageError(
                f"--test-sets has the one label {test_sets[0]!r}; expected at least 2 sets."
            )
        correction = keywords.pop("correction")
        whole = compare_systems(
            scorers, progress=progress, groups=test_sets, **{**keywords, "pairs": None}
        )
        lower = keywords["lower_is_better"]
        return combine_sets(whole.groups, correction, lower, independent=True)


def scale_scores(result: _ResultT, factor: int, outside: Container[str]) -> _ResultT:
    """Multiply all scores but the outside scores by a factor, in groups and test sets too."""
    tables: dict[str, Any] = {"rows": result.rows}
    if isinstance(result, SystemRanking):
        tables["pairs"] = result.pairs
    scaled: dict[str, Any] = {
        name: tuple(row if row.score in outside else _scale(row, factor) for row in rows)
        for name, rows in tables.items()
    }
    name = "sets" if isinstance(result, SetComparison) else "groups"
    parts: dict[str, Any] = getattr(result, name)
    scaled[name] = {part: scale_scores(each, factor, outside) for part, each in parts.items()}
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


def write_result(result: Any, report_format: str, *, signature: str = "") -> str:
    """Write a result as a text that ends with a line break.

    Args:
        result: of a comparison; JSON has everything, CSV the rows.
        report_format: table, json, csv, markdown or latex.
        signature: a line that follows; empty for none.
    """
    if report_format == "json":
        return json.dumps(result.to_dict()) + "\n"
    if report_format == "csv":
        head, rows = result.to_table()
        return write_csv([head, *rows, *([("signature", signature)] if signature else [])])
    if report_format == "latex":
        # A % starts a comment of LaTeX.
        return f"{result.to_latex()}\n" + f"% {signature}\n" * bool(signature)
    if report_format == "markdown":
        # The "|" of the signature would make it a table.
        return f"{result.to_markdown()}\n" + f"\n`{signature}`\n" * bool(signature)
    return f"{result}\n" + f"\n{signature}\n" * bool(signature)
