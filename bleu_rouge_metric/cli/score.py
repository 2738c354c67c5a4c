"""The work of ``bleu-rouge score``."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from ..options.options import Options
from ..scoring.resampling_options import warn_of_seed
from ..scoring.results import choose_factor, scale
from ..scoring.scorer import Scorer
from .counting import Work, plan_files, read_groups
from .messages import UsageError, print_report
from .progress import show_progress
from .reports import report
from .values import Values


def run_score(flags: Values) -> None:
    """Score files and print the scores.

    Raises:
        FileError: a file cannot be read or written.
        UsageError: flags do not go together.
    """
    predictions, files, per_sample = flags.predictions, flags.references, flags.per_sample
    _check_format(flags.options, flags.report_format)
    if per_sample is not None:
        from .sample_files import check_sample_path, score_each, write_columns

        check_sample_path(per_sample, [predictions, *files])
    plan = _choose_plan(predictions, has_engine=flags.engine is not None)
    work = plan(predictions, files, **flags.files)
    labels = None
    if flags.group_by is not None:
        labels = read_groups(work, predictions, files, flags.group_by, **flags.files)
    factor = choose_factor(flags.options, percent=flags.percent)
    if per_sample is not None:
        check_sample_path(per_sample, work.paths)
    with show_progress(work.total, work.unit) as advance:
        scorer = Scorer.from_options(flags.options, flags.families, flags.seed)
        work.run(scorer, advance)
        scores = scorer.result(groups=labels)
        if flags.seed is not None:
            warn_of_seed(flags.options, flags.families, flags.seed)
        if per_sample is not None:
            write_columns(per_sample, score_each(scorer, factor))
    print_report(
        lambda: report(scale(scores, factor), flags.report_format),
        has_colours=flags.report_format == "table",
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


def _check_format(options: Options, report_format: str) -> None:
    """Raise UsageError if a table would have to show a list of one value per sample."""
    for flag, makes_lists in (
        ("--sentence-bleu", options.sentence_bleu),
        ("--no-aggregator", not options.use_aggregator),
    ):
        if makes_lists and report_format != "json":
            raise UsageError(
                f"{flag} gives one value per sample, which --format {report_format} cannot "
                "contain; use --format json, or --per-sample FILE in place of the flag."
            )
