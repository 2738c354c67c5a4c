"""``bleu-rouge score``: count files in this process, or shards of a folder."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ..files.samples import read_systems
from ..options.signature import sign_strip
from ..samples.inputs import Samples
from ..scoring.counting import count_portions
from ..scoring.intervals import warn_of_seed
from ..scoring.results import choose_factor, scale
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import warn_of_texts
from ..text.mistakes import warn_of_empty_texts
from .messages import UsageError, name_file
from .output import Columns, check_output, print_report, progress, write_columns
from .render import write_score_only, write_scores
from .values import Values, check_shards, exclude


def run_score(values: Values) -> None:
    """Score files and print the scores."""
    _check_format(values)
    if values.per_sample is not None:
        check_output("--per-sample", values.per_sample, [values.predictions, *values.references])
    scorer = Scorer.from_options(values.options, values.families, values.seed)
    if values.engine is None and not Path(values.predictions).is_dir():
        labels = _count_files(scorer, values)
    else:
        check_shards(values)
        # pyarrow takes a quarter of a second to import, and Ray takes seconds.
        from .folders import count_folder

        labels = count_folder(scorer, values)
    factor = choose_factor(values.options, percent=values.percent)
    scores = scale(scorer.result(groups=labels), factor)
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


def _count_files(scorer: Scorer, values: Values) -> list[str] | None:
    """Count files into a scorer; return the labels of their samples for ``--group-by``."""
    path, flag = values.predictions, "--group-by"
    named = {} if values.groups is None else {flag: values.groups}
    read = read_systems(
        [path], values.references, labels=named, is_comparison=False, **values.files
    )
    samples = values.strip_samples(*read.systems.values())
    with progress(len(samples.predictions)) as advance:
        warn_of_empty_texts(samples)
        count_into(scorer, samples, path, advance)
        warn_of_texts(samples, scorer.counts(), scorer.options.plan(scorer.families))
    return read.labels.get(flag)


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
