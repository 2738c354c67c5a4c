"""The work of ``bleu-rouge compare``; its flags are in ``comparison_flags.py``.

The tests are in ``analysis``; what other commands that compare systems share is in
``system_comparisons.py``.
"""

from collections.abc import Sequence
from typing import Any

from ..analysis.convention import CONVENTION_PROFILE
from ..files.samples import read_systems
from ..options.options import Options
from ..scoring.results import choose_factor
from .checks import check_environment, read_choice, read_families
from .file_flags import read_file_flags
from .messages import one_line_warnings, print_report, usage_errors
from .option_flags import to_keywords
from .outside_files import read_outside_file
from .reports import ReportFormat
from .runs import join_runs, name_runs
from .sample_files import check_sample_path, write_columns
from .system_comparisons import (
    check_baseline,
    check_files,
    choose_correction,
    comparison_errors,
    count_systems,
    list_samples,
    read_design,
    run_tests,
    scale_scores,
    split_systems,
    write_result,
)


def run_compare(
    systems: Sequence[str],
    *,
    references: Sequence[str] | None,
    columns: Sequence[str] | None,
    harness_filter: str | None,
    scores: str | None,
    lower_is_better: Sequence[str] | None,
    baseline: str | None,
    pairs: str | None,
    runs: str | None,
    test: str | None,
    resamples: str | None,
    confidence: str,
    seed: str,
    alternative: str,
    correction: str | None,
    clusters: str | None,
    convention: str | None,
    report_format: str,
    group_by: str | None,
    per_sample: str | None,
    percent: bool,
    signature: bool,
    family: str | None,
    **parameters: Any,
) -> None:
    """Compare systems; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read or written.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors():
            check_environment()
            families = read_families(family)
            written = read_choice("--format", report_format, ReportFormat)
            keywords = to_keywords(parameters)
            if convention is not None:
                keywords.setdefault("profile", CONVENTION_PROFILE)
            options = Options.from_keywords(keywords, families)
            files = read_file_flags(parameters)
            named = split_systems(columns or [])
        with comparison_errors():
            design = read_design(
                test=test,
                n_resamples=resamples,
                confidence=confidence,
                seed=seed,
                alternative=alternative,
                correction=correction,
                convention=convention,
                pairs=pairs,
                baseline=baseline,
                has_runs=runs is not None,
            )
        check_files(systems, named, files["prediction_column"])
        if per_sample is not None:
            check_sample_path(per_sample, [*systems, *(references or []), *filter(None, [scores])])
        labels = {"--clusters": clusters, "--group-by": group_by}
        samples = read_systems(
            systems,
            references or [],
            columns=named,
            labels={flag: name for flag, name in labels.items() if name is not None},
            filter_name=harness_filter,
            **files,
        )
        with comparison_errors():
            named_runs = name_runs(list(samples.systems), runs)
        check_baseline(baseline, list(named_runs or samples.systems))
        with comparison_errors():
            outside = read_outside_file(scores, samples, lower_is_better or [])
        scorers = count_systems(samples, options, families, design["seed"])
        factor = choose_factor(options, percent=percent)
        compared = join_runs(scorers, named_runs)
        groups = samples.labels.get("--group-by")
        if correction is None and pairs is None and convention is None:
            # The first system is the baseline; all samples are tested, and each group.
            differences = (len(compared) - 1) * (1 + len(set(groups or ())))
            first = next(iter(scorers.values()))
            design["correction"] = choose_correction(first, outside.scores, differences)
        comparison = run_tests(
            compared,
            **design,
            clusters=samples.labels.get("--clusters"),
            groups=groups,
            scores=outside.scores or None,
            lower_is_better=lower_is_better or (),
        )
        if per_sample is not None:
            write_columns(per_sample, list_samples(scorers, outside.checked, factor))
        scaled = scale_scores(comparison, factor, outside.scores)
        print_report(lambda: write_result(scaled, written, scaled.signature() if signature else ""))
