"""The work of ``bleu-rouge compare``; the tests are in ``analysis``."""

from ..analysis.significance_design import check_design
from ..scoring.results import choose_factor
from .messages import print_report
from .outside_files import read_outside_file
from .runs import join_runs, name_runs
from .sample_files import check_sample_path, write_columns
from .systems import (
    check_baseline,
    check_test_sets,
    choose_margins,
    count_systems,
    list_samples,
    read_flags,
    run_tests,
    scale_scores,
    write_result,
)
from .values import Values

_DESIGN = ("test", "n_resamples", "confidence", "seed", "alternative", "margin", "correction",
           "convention", "pairs", "baseline")  # fmt: skip


def run_compare(flags: Values) -> None:
    """Compare systems.

    Raises:
        FileError: a file cannot be read or written.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    design = flags.pick(*_DESIGN)
    with flags.errors():
        check_design(**design, draw=0)
    if flags.per_sample is not None:
        inputs = [*flags.systems, *flags.references, *filter(None, [flags.scores])]
        check_sample_path(flags.per_sample, inputs)
    excluded = flags.pick("groups", "pairs", "runs", "convention", "margin")
    check_test_sets(flags.test_sets, {flags.names[n]: value for n, value in excluded.items()})
    samples = read_flags(flags, "clusters", "groups", "test_sets")
    named_runs = name_runs(list(samples.systems), flags.runs)
    check_baseline(flags.baseline, list(named_runs or samples.systems))
    with flags.errors():
        outside = read_outside_file(flags.scores, samples, flags.lower_is_better)
    scorers = count_systems(samples, flags.options, flags.families, flags.seed)
    factor = choose_factor(flags.options, percent=flags.percent)
    first = next(iter(scorers.values()))
    comparison = run_tests(
        flags,
        join_runs(scorers, named_runs),
        **{**design, "margin": choose_margins(flags.margin, first, outside.scores, factor)},
        clusters=samples.labels.get("--clusters"),
        groups=samples.labels.get("--group-by"),
        test_sets=samples.labels.get("--test-sets"),
        scores=outside.scores or None,
        lower_is_better=flags.lower_is_better,
    )
    if flags.per_sample is not None:
        write_columns(flags.per_sample, list_samples(scorers, outside.checked, factor))
    scaled = scale_scores(comparison, factor, outside.scores)
    signature = scaled.signature() if flags.signature else ""
    print_report(lambda: write_result(scaled, flags.report_format, signature=signature))
