"""The work of ``bleu-rouge required-samples``; its flags are in ``sample_size_flags.py``.

The simulation is in ``analysis/power``.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from ..analysis.power.required_samples import check_study, required_samples
from ..files.systems import read_systems
from ..messages import get_message
from ..options.options import Options
from ..scoring.results import choose_factor
from .checks import check_environment, check_seed_flag, read_choice, read_families
from .file_flags import read_file_flags
from .flag_words import write_flags
from .messages import UsageError, one_line_warnings, print_report, usage_errors
from .option_flags import to_int, to_keywords, to_number
from .sample_size_flags import SizeFormat
from .system_comparisons import (
    check_baseline,
    check_files,
    count_systems,
    split_systems,
    write_result,
)

# Keywords of ``required_samples`` in the words of the command.
_FLAGS: Final = {
    "pilot": "SYSTEMS",
    "difference": "--difference",
    "power": "--power",
    "score": "--score",
    "system": "--system",
    "confidence": "--confidence",
    "alternative": "--alternative",
    "n_tests": "--tests",
    "n_resamples": "--studies",
    "clusters": "--clusters",
}
_CLUSTERS: Final = "--clusters"


def run_required_samples(
    systems: Sequence[str],
    *,
    references: Sequence[str] | None,
    columns: Sequence[str] | None,
    difference: str,
    power: str,
    score: str | None,
    system: str | None,
    baseline: str | None,
    clusters: str | None,
    confidence: str,
    alternative: str,
    tests: str,
    studies: str,
    seed: str,
    report_format: str,
    percent: bool,
    family: str | None,
    **parameters: Any,
) -> None:
    """Estimate a number of samples; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors(_FLAGS):
            check_environment()
            families = read_families(family)
            written = read_choice("--format", report_format, SizeFormat)
            options = Options.from_keywords(to_keywords(parameters), families)
            factor = choose_factor(options, percent=percent)
            files = read_file_flags(parameters)
            named = split_systems(columns or [])
            study: dict[str, Any] = {
                "difference": to_number("difference", difference) / factor,
                "power": to_number("power", power),
                "confidence": to_number("confidence", confidence),
                "n_tests": to_int("n_tests", tests),
                "n_resamples": to_int("n_resamples", studies),
                "alternative": alternative,
                "seed": check_seed_flag(seed),
            }
            check_study(**study)
        check_files(systems, named, files["prediction_column"])
        labels = {} if clusters is None else {_CLUSTERS: clusters}
        samples = read_systems(systems, references or [], columns=named, labels=labels, **files)
        check_baseline(baseline, list(samples.systems))
        scorers = count_systems(samples, options, families, study["seed"])
        try:
            size = required_samples(
                scorers,
                score=score,
                system=system,
                baseline=baseline,
                clusters=samples.labels.get(_CLUSTERS),
                **study,
            )
        except (TypeError, ValueError) as error:
            raise UsageError(write_flags(get_message(error), _FLAGS)) from error
        scaled = replace(
            size,
            difference=size.difference * factor,
            scale=None if size.scale is None else size.scale * factor,
        )
        print_report(lambda: write_result(scaled, written))
