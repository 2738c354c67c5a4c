"""The work of ``bleu-rouge required-samples``; the simulation is in ``analysis/power``."""

from dataclasses import replace

from ..analysis.power.required_samples import required_samples
from ..analysis.power.studies import check_study
from ..scoring.results import choose_factor
from .messages import print_report
from .systems import check_baseline, count_systems, read_flags, write_result
from .values import Values

_STUDY = ("power", "confidence", "n_tests", "n_resamples", "alternative", "seed")


def run_required_samples(flags: Values) -> None:
    """Estimate a number of samples.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    factor = choose_factor(flags.options, percent=flags.percent)
    study = {**flags.pick(*_STUDY), "difference": flags.difference / factor}
    with flags.errors(pilot="SYSTEMS"):
        check_study(**study)
    samples = read_flags(flags, "clusters")
    check_baseline(flags.baseline, list(samples.systems))
    scorers = count_systems(samples, flags.options, flags.families, flags.seed)
    with flags.errors(pilot="SYSTEMS"):
        size = required_samples(
            scorers,
            **flags.pick("score", "system", "baseline"),
            clusters=samples.labels.get("--clusters"),
            **study,
        )
    scaled = replace(
        size,
        difference=size.difference * factor,
        scale=None if size.scale is None else size.scale * factor,
    )
    if flags.report_format == "table":
        print_report(lambda: scaled.to_table() + "\n")
    else:
        print_report(lambda: write_result(scaled, flags.report_format))
