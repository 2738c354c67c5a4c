"""``bleu-rouge score``: count files in this process, or shards of a folder."""

from collections.abc import Sequence
from pathlib import Path

from ..files.samples import SystemSamples, read_systems
from ..options.signature import sign_strip
from ..scoring.counting import count_portions
from ..scoring.intervals import warn_of_seed
from ..scoring.results import choose_factor, scale
from ..scoring.scorer import Scorer
from ..scoring.text_warnings import warn_of_texts
from ..text.mistakes import warn_of_empty_texts
from .messages import UsageError, name_file
from .output import Columns, check_output, print_report, progress, write_columns
from .render import write_score_only, write_scores
from .values import Values, exclude


def run_score(values: Values) -> None:
    """Score files and print the scores."""
    _check_format(values)
    if values.per_sample is not None:
        check_output("--per-sample", values.per_sample, [values.predictions, *values.references])
    if values.engine is None and not Path(values.predictions).is_dir():
        flag, name = "--group-by", values.groups
        labels_of = {} if name is None else {flag: name}
        samples = read_systems(
            [values.predictions], values.references, labels=labels_of, is_comparison=False,
            **values.files,
        )  # fmt: skip
        (scorer,), labels = count_systems(samples, values).values(), samples.labels.get(flag)
    else:
        # pyarrow takes a quarter of a second to import, and Ray takes seconds.
        from .folders import count_folder

        scorer = Scorer.from_options(values.options, values.families, values.seed)
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


def count_systems(samples: SystemSamples, values: Values) -> dict[str, Scorer]:
    """Count the samples of each system."""
    scorers: dict[str, Scorer] = {}
    plan = values.options.plan(values.families)
    with progress(sum(len(one.predictions) for one in samples.systems.values())) as advance:
        for name, one in samples.systems.items():
            texts = values.strip_samples(one)
            shown = name * (len(samples.systems) > 1)
            warn_of_empty_texts(texts, shown, check_references=not scorers)
            scorer = Scorer.from_options(values.options, values.families, values.seed)
            portions = count_portions(texts, plan)
            while True:
                with name_file(samples.paths[name]):
                    portion = next(portions, None)
                if portion is None:
                    break
                scorer.update_counts(portion)
                advance(len(portion.reference_counts))
            if not scorers:
                # Warnings about the other systems would mostly repeat it.
                warn_of_texts(texts, scorer.counts(), plan)
            scorers[name] = scorer
    return scorers


def score_each(scorer: Scorer, factor: int) -> Columns:
    """Return the scores of every sample, times a factor, in columns behind the index from 0."""
    counts, plan = scorer.counts(), scorer.options.plan(scorer.families)
    columns: dict[str, Sequence[float]] = {"index": range(len(counts.reference_counts))}
    for part in plan.scores.values():
        scores = part.list_sample_scores(counts, detailed=plan.output.detailed)
        columns.update({name: [value * factor for value in scores[name]] for name in scores})
    return columns
