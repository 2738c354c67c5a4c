"""``bleu-rouge compare`` and ``bleu-rouge compare-profiles``; the tests are in ``analysis``."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os.path import commonprefix
from typing import Any, Final, TypeVar

from ..analysis.compare import compare_systems
from ..analysis.design import check_design
from ..analysis.profiles import (
    ProfileComparison,
    choose_fit,
    compare_samples,
    describe_step,
    plan_comparison,
)
from ..analysis.ranking import SystemRanking
from ..analysis.results import SystemComparison
from ..analysis.system_scores import OutsideScore, check_outside_scores
from ..families.registry import find_family
from ..files.input import FileError, InputFile
from ..files.json_values import cannot_parse
from ..files.lines import read_lines
from ..files.results import HARNESS, find_systems
from ..files.samples import (
    SystemSamples,
    name_systems,
    read_samples,
    read_systems,
    share_scores,
)
from ..options.profiles import PROFILES
from ..options.signature import sign_strip
from ..scoring.results import choose_factor
from ..scoring.scorer import Scorer
from ..tables import write_csv
from .messages import UsageError, find_name, usage_errors
from .output import Columns, check_output, print_report, progress, write_columns
from .render import write_report, write_result
from .score import count_systems, score_each
from .values import Values

_ResultT = TypeVar("_ResultT", bound=SystemComparison | SystemRanking)

# The value of --correction that stands for None.
_UNCORRECTED: Final = "none"

# Labels of samples, by the flags that name them.
_LABELS: Final = {"clusters": "--clusters", "groups": "--group-by"}

_DESIGN: Final = ("test", "n_resamples", "confidence", "seed", "alternative", "convention",
                  "pairs", "baseline")  # fmt: skip

# The numbers of a row that are in the units of its score.
_SCORED: Final = ("value", "low", "high", "delta", "delta_low", "delta_high", "detectable", "mean",
                  "scale", "run_std", "error", "delta_error")  # fmt: skip


def run_compare(values: Values) -> None:
    """Compare systems."""
    columns = _split_columns(values)
    design = _read_design(values)
    if values.per_sample is not None:
        inputs = [*values.systems, *values.references, *filter(None, [values.scores])]
        check_output("--per-sample", values.per_sample, inputs)
    labels = {_LABELS[name]: getattr(values, name) for name in _LABELS if name in values.given}
    samples = read_systems(
        values.systems, values.references, columns=columns, labels=labels, **values.files
    )
    runs = _name_runs(list(samples.systems), values.runs)
    if values.baseline not in (None, *(runs or samples.systems)):
        names = ", ".join(map(repr, runs or samples.systems))
        raise UsageError(f"--baseline is {values.baseline!r}; expected one of {names}.")
    with usage_errors():
        outside = _read_outside_scores(samples, values)
        checked = _check_scores(outside or None, samples, values.lower_is_better)
    scorers = count_systems(samples, values)
    factor = choose_factor(values.options, percent=values.percent)
    compared: Mapping[str, Any] = scorers
    if runs is not None:
        compared = {system: [scorers[name] for name in names] for system, names in runs.items()}
    clusters, groups = map(samples.labels.get, _LABELS.values())
    if (values.correction, values.pairs, values.convention) == (None, None, None):
        # The first system is the baseline; all samples are tested, and each group.
        differences = (len(compared) - 1) * (1 + len(set(groups or ())))
        plan = values.options.plan(values.families)
        if (len(plan.names) + len(outside)) * differences > 1:
            design["correction"] = "holm"
    with progress(None, "resamples", "Testing") as show, usage_errors():
        comparison: Any = compare_systems(
            compared,
            **design,
            lower_is_better=values.lower_is_better,
            clusters=clusters,
            groups=groups,
            scores=outside or None,
            progress=show,
        )
    if values.per_sample is not None:
        write_columns(values.per_sample, _list_samples(scorers, checked, factor))
    scaled = _scale_scores(comparison, factor)
    signature = sign_strip(scaled.signature(), values.pattern)
    print_report(write_result(scaled, values.report_format, signature, is_signed=values.signature))


def run_compare_profiles(values: Values) -> None:
    """Compare profiles."""
    with usage_errors():
        profiles = values.profiles or tuple(PROFILES)
        plans = plan_comparison(**values.keywords, profiles=profiles)
    samples = read_samples(values.predictions, values.references, **values.files)
    samples = values.strip_samples(samples)
    # Profiles that nobody asked for are left out if they cannot score the samples.
    comparison = compare_samples(samples, plans if values.profiles else choose_fit(samples, plans))
    if values.report_format == "json":
        text = json.dumps(comparison.to_dict()) + "\n"
    elif values.report_format == "csv":
        text = _write_steps(comparison)
    else:
        text = write_report(comparison.report(), values.report_format)
    print_report(text)


def _write_steps(comparison: ProfileComparison) -> str:
    """Write CSV with a row per score: profile, name, value, and the steps that led to it."""
    steps: dict[tuple[str, str], list[str]] = {}
    for step in comparison.differences:
        steps.setdefault((step.profile, step.score), []).append(describe_step(step))
    rows = [
        (profile, name, value, "; ".join(steps.get((profile, name), ())))
        for profile, scores in comparison.scores.items()
        for name, value in scores.items()
    ]
    return write_csv([("profile", "score", "value", "differs_by"), *rows])


def _split_columns(values: Values) -> list[str]:
    """Return the columns of the only file of systems; a name with a comma is quoted as in CSV."""
    if not values.columns:
        return []
    flag, files, shown = find_name("columns"), len(values.systems), ",".join(values.columns)
    try:
        columns = list(chain.from_iterable(csv.reader(values.columns)))
    except csv.Error as error:
        raise UsageError(f"{flag} is {shown!r}; expected one line of CSV.") from error
    if files != 1:
        raise UsageError(
            f"{flag} names columns of one file, but {files} files are given; give one, or leave "
            f"{flag} out."
        )
    if "" in columns or len(columns) < 2:
        expected = "expected two or more names of columns, such as old,new."
        raise UsageError(f"{flag} is {shown!r}; {expected}")
    return columns


def _read_design(values: Values) -> dict[str, Any]:
    """Return the keywords of ``compare_systems`` about the test; raise if one is invalid."""
    given = values.correction
    is_corrected = given is None or given.lower() != _UNCORRECTED
    if values.pairs is not None and not is_corrected:
        raise UsageError(
            f"--correction is {given!r}, but --pairs corrects p for the number of pairs; leave one "
            "of the two out."
        )
    design = {**values.pick(*_DESIGN), "correction": given if is_corrected else None}
    with usage_errors():
        check_design(**design, has_runs=values.runs is not None)
    return design


def _name_runs(names: Sequence[str], runs: int | None) -> dict[str, list[str]] | None:
    """Return the names of the runs of each system, which begin alike; None without ``--runs``."""
    if runs is None:
        return None
    if runs < 2 or len(names) % runs or len(names) == runs:
        raise UsageError(
            f"--runs is {runs}, but there are {len(names)} files or columns; expected 2 or more "
            "runs of each of two or more systems."
        )
    named: dict[str, list[str]] = {}
    for start in range(0, len(names), runs):
        part = list(names[start : start + runs])
        name = commonprefix(part).rstrip("-_. ")  # noqa: RUF071 - names are not paths
        if not name or name in named:
            raise UsageError(
                f"--runs is {runs}, which makes {', '.join(map(repr, part))} runs of one system; "
                "list the files of each system together, with names whose beginning no other "
                "system has."
            )
        named[name] = part
    return named


def _scale_scores(result: _ResultT, factor: int) -> _ResultT:
    """Multiply all scores but the outside scores by a factor, in groups too."""

    def scale(row: Any) -> Any:
        values = {name: getattr(row, name, None) for name in _SCORED if row.scale is not None}
        return row._replace(**{name: x * factor for name, x in values.items() if x is not None})

    tables = ("rows", "pairs") if isinstance(result, SystemRanking) else ("rows",)
    scaled: dict[str, Any] = {name: tuple(map(scale, getattr(result, name))) for name in tables}
    scaled["groups"] = {name: _scale_scores(part, factor) for name, part in result.groups.items()}
    return replace(result, **scaled)


def _list_samples(
    scorers: Mapping[str, Scorer], outside: Sequence[Mapping[str, OutsideScore]], factor: int
) -> Columns:
    """Return the scores of every sample: one column per system and score."""
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


def _read_outside_scores(samples: SystemSamples, values: Values) -> dict[str, Any]:
    """Return the scores of other metrics, from the systems' files and from ``--scores``."""
    # lm-evaluation-harness has scores that are also computed here.
    scores: dict[str, Any] = {
        name if find_family(name) is None else f"file_{name}": numbers
        for name, numbers in samples.scores.items()
    }
    if values.scores is not None:
        more = _read_scores(values.scores, samples)
        for name in filter(scores.__contains__, more):
            message = f"the files of the systems have scores {name!r} too; give them once."
            raise FileError(values.scores, message)
        scores |= more
    return scores


def _read_scores(path: str, samples: SystemSamples) -> dict[str, Any]:
    """Return the scores of a JSON file, or of a file of COMET."""
    file, _, systems = find_systems(InputFile.from_path(path))
    if systems and systems[0].program == HARNESS:
        message = "this is a file of lm-evaluation-harness; give it as one of the systems."
        raise FileError(path, message)
    if systems and systems[0].program:
        names = name_systems([system.system for system in systems])
        scores: Any = share_scores(dict(zip(names, (one.scores for one in systems), strict=True)))
    else:
        try:
            scores = json.loads("".join(line for _, line in read_lines(file)))
        except (RecursionError, ValueError) as error:
            raise cannot_parse(file, error, getattr(error, "lineno", None)) from error
    try:
        _check_scores(scores, samples)
    except (TypeError, ValueError) as error:
        raise FileError(path, str(error)) from error
    return dict(scores)


def _check_scores(
    scores: object, samples: SystemSamples, lower_is_better: Sequence[str] = ()
) -> list[dict[str, OutsideScore]]:
    """Return the checked scores of other metrics for each system."""
    count = len(next(iter(samples.systems.values())).predictions)
    return check_outside_scores(scores, list(samples.systems), count, lower_is_better)
