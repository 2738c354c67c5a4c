"""The work of ``bleu-rouge score``; ``command.py`` has its help, ``flags.py`` its flags.

It imports neither typer nor rich, which take longer to start than small files to score.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..options.options import Options
from ..scoring.resampling_options import warn_of_seed
from ..scoring.results import choose_factor, scale
from ..scoring.scorer import Scorer
from . import option_flags
from .checks import (
    FILE_FLAGS,
    check_engine,
    check_environment,
    check_file_flags,
    check_seed_flag,
    read_choice,
    read_families,
)
from .counting import Work, plan_files, read_groups
from .messages import UsageError, one_line_warnings, print_report, usage_errors
from .progress import show_progress
from .reports import ReportFormat, report


def run_score(
    predictions: str,
    references: Sequence[str] | None = None,
    *,
    report_format: str = "table",
    harness_filter: str | None = None,
    per_sample: str | None = None,
    group_by: str | None = None,
    percent: bool = False,
    engine: str | None = None,
    family: str | None = None,
    seed: str | None = None,
    **parameters: Any,
) -> None:
    """Score files and print the scores; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read or written.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    files = references or []
    with one_line_warnings():
        with usage_errors():
            check_environment()
            families = read_families(family)
            written = read_choice("--format", report_format, ReportFormat)
            options = Options.from_keywords(option_flags.to_keywords(parameters), families)
            seed_of_stream = None if seed is None else check_seed_flag(seed)
            has_engine = engine is not None and check_engine(engine)
            columns = {name: parameters[name] for name in FILE_FLAGS if name in parameters}
            reading = check_file_flags(**columns)
            reading["filter_name"] = harness_filter
        _check_format(options, written)
        if per_sample is not None:
            from .sample_files import check_sample_path, score_each, write_columns

            check_sample_path(per_sample, [predictions, *files])
        work = _choose_plan(predictions, has_engine=has_engine)(
            predictions, files, label=group_by, **reading
        )
        labels = None
        if group_by is not None:
            labels = read_groups(work, predictions, group_by)
        factor = choose_factor(options, percent=percent)
        if per_sample is not None:
            check_sample_path(per_sample, work.paths)
        with show_progress(work.total, work.unit) as advance:
            scorer = Scorer.from_options(options, families, seed_of_stream)
            work.run(scorer, advance)
            scores = scorer.result(groups=labels)
            if seed_of_stream is not None:
                warn_of_seed(options, families, seed_of_stream)
            if per_sample is not None:
                write_columns(per_sample, score_each(scorer, factor))
        print_report(
            lambda: report(scale(scores, factor), written),
            has_colours=written is ReportFormat.TABLE,
        )


def _choose_plan(predictions: str, *, has_engine: bool) -> Callable[..., Work]:
    """Return what plans the counting: of files or of a folder in this process, or on an engine."""
    if not has_engine and not Path(predictions).is_dir():
        return plan_files
    # pyarrow takes a quarter of a second to import.
    from .folders import plan_folder

    if not has_engine:
        return plan_folder
    # Ray takes seconds to import: only those who ask for it pay for it.
    from .ray_engine import count_with_ray

    return partial(plan_folder, count=count_with_ray)


def _check_format(options: Options, report_format: ReportFormat) -> None:
    """Raise UsageError if a table would have to show a list of one value per sample."""
    for flag, makes_lists in (
        ("--sentence-bleu", options.sentence_bleu),
        ("--no-aggregator", not options.use_aggregator),
    ):
        if makes_lists and report_format is not ReportFormat.JSON:
            raise UsageError(
                f"{flag} gives one value per sample, which --format {report_format.value} cannot "
                "contain; use --format json, or --per-sample FILE in place of the flag."
            )
