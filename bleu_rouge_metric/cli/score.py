"""``bleu-rouge score``: count files in this process, or shards of a folder."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..files.columns import read_labels
from ..files.samples import read_systems
from ..files.shards import list_files
from ..options.signature import sign_strip
from ..samples.inputs import Samples
from ..scoring.counting import count_portions
from ..scoring.intervals import warn_of_seed
from ..scoring.results import choose_factor, scale
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import warn_of_texts
from ..text.mistakes import warn_of_empty_texts
from .messages import UsageError, name_file
from .output import Columns, check_sample_path, print_report, progress, write_columns
from .render import write_score_only, write_scores
from .values import Values, check_shards, exclude

# The unit of work if it is known how many samples there are.
SAMPLES: Final = "samples"

_GROUP_BY: Final = "--group-by"


class Work(NamedTuple):
    """Samples of some files to count, and the labels of their groups.

    ``run`` fills a scorer; it calls its second argument with the amount of work, of the total, that
    was done since the last call.
    """

    total: int
    unit: str
    paths: Sequence[str]
    run: Callable[[Scorer, Callable[[int], None]], None]
    labels: Sequence[str] | None = None


def run_score(values: Values) -> None:
    """Score files and print the scores."""
    _check_format(values)
    if values.per_sample is not None:
        check_sample_path(values.per_sample, [values.predictions, *values.references])
    work = _plan(values)
    factor = choose_factor(values.options, percent=values.percent)
    if values.per_sample is not None:
        check_sample_path(values.per_sample, work.paths)
    with progress(work.total, work.unit) as advance:
        scorer = Scorer.from_options(values.options, values.families, values.seed)
        work.run(scorer, advance)
        scores = scale(scorer.result(groups=work.labels), factor)
        if "signature" in scores:
            scores["signature"] = sign_strip(str(scores["signature"]), values.pattern)
        if values.seed is not None:
            warn_of_seed(values.options, values.families, values.seed)
        if values.per_sample is not None:
            write_columns(values.per_sample, score_each(scorer, factor))
    if values.score_only:
        print_report(write_score_only(scores, values.width))
    else:
        print_report(write_scores(scores, values.report_format, values.width))


def _check_format(values: Values) -> None:
    """Raise UsageError if a table would have to show a list of one value per sample."""
    options = values.options
    if values.score_only and options.signature:
        raise exclude("--score-only", "--signature")
    flag = "--sentence-bleu" * options.sentence_bleu or "--no-aggregator"
    has_lists = options.sentence_bleu or not options.use_aggregator
    if has_lists and values.report_format != "json":
        written = "--score-only" if values.score_only else f"--format {values.report_format}"
        raise UsageError(
            f"{flag} gives one value per sample, which {written} cannot contain; use --format "
            "json, or --per-sample FILE in place of the flag."
        )


def _plan(values: Values) -> Work:
    """Plan the counting: of files or of a folder in this process, or on an engine."""
    if values.engine is None and not Path(values.predictions).is_dir():
        return _plan_files(values)
    check_shards(values)
    # pyarrow takes a quarter of a second to import, and Ray takes seconds.
    from .folders import plan_folder

    count: Any = None
    if values.engine is not None:
        from .ray_engine import count_with_ray

        count = count_with_ray
    work = plan_folder(
        values.predictions, values.references, count=count, strip=values.pattern, **values.files
    )
    if values.groups is None:
        return work
    labels = read_labels(list_files(values.predictions), values.groups, _GROUP_BY)
    return work._replace(labels=labels)


def _plan_files(values: Values) -> Work:
    """Read the files to count them in this process."""
    path = values.predictions
    named = {} if values.groups is None else {_GROUP_BY: values.groups}
    read = read_systems(
        [path], values.references, labels=named, is_comparison=False, **values.files
    )
    samples = values.strip_samples(*read.systems.values())

    def count(scorer: Scorer, advance: Callable[[int], None]) -> None:
        warn_of_empty_texts(samples)
        count_into(scorer, samples, path, advance)
        warn_of_texts(samples, scorer.counts(), scorer.options.plan(scorer.families))

    return Work(
        len(samples.predictions),
        SAMPLES,
        [path, *values.references],
        count,
        read.labels.get(_GROUP_BY),
    )


def count_into(scorer: Scorer, samples: Samples, path: str, advance: Callable[[int], None]) -> None:
    """Count samples of a file into a scorer; ``advance`` gets how many more were counted."""
    portions = count_portions(samples, scorer.options.plan(scorer.families))
    while True:
        with name_file(path):
            portion = next(portions, None)
        if portion is None:
            return
        scorer.update_counts(portion)
        advance(len(portion.reference_counts))


def score_each(scorer: Scorer, factor: int) -> Columns:
    """Return the scores of every sample, times a factor, in columns behind the index from 0."""
    counts, plan = scorer.counts(), scorer.options.plan(scorer.families)
    columns: dict[str, Sequence[float]] = {"index": range(len(counts.reference_counts))}
    for part in plan.scores.values():
        scores = part.list_sample_scores(counts, detailed=plan.output.detailed)
        columns.update({name: [value * factor for value in scores[name]] for name in scores})
    return columns
