"""The work of ``bleu-rouge meta-evaluate``; the coefficients and tests are in ``analysis/meta``."""

from collections.abc import Mapping
from typing import Any

from ..analysis.meta.agreement_plan import check_plan
from ..analysis.meta.agreement_results import MetaEvaluation, MetricAgreement
from ..analysis.meta.meta_evaluate import meta_evaluate
from ..files.lines import FileError
from ..messages import get_message
from ..scoring.scorer import Scorer
from ..tables import write_csv
from .messages import UsageError, print_report
from .outside_files import read_json_file
from .systems import count_systems, read_flags, write_result
from .values import Values

_PLAN = ("level", "grouping", "resampled", "swapped", "correction", "n_resamples", "confidence",
         "seed")  # fmt: skip


def run_meta_evaluation(flags: Values) -> None:
    """Compare metrics with people.

    Raises:
        FileError: a file cannot be read, or ratings and scores do not fit together.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    plan = {**flags.pick(*_PLAN), "coefficients": flags.coefficients or None}
    with flags.errors():
        check_plan(**plan)
    outside = None if flags.scores is None else read_json_file(flags.scores)
    ratings = read_json_file(flags.human)
    scorers: dict[str, Scorer] | None = None
    if flags.systems:
        samples = read_flags(flags)
        scorers = count_systems(samples, flags.options, flags.families, flags.seed)
    elif flags.scores is None:
        raise UsageError("there are no scores; give files of SYSTEMS, or --scores FILE.")
    elif flags.references or flags.columns:
        raise UsageError("--references and --systems are given without SYSTEMS; give files.")
    result = _evaluate(flags, outside, ratings, scorers, baseline=flags.baseline, **plan)
    if flags.report_format == "csv":
        print_report(lambda: write_csv([MetricAgreement._fields, *result.rows]))
    else:
        print_report(lambda: write_result(result, flags.report_format))


def _evaluate(
    flags: Values, scores: Any, human: Any, systems: Mapping[str, Scorer] | None, **keywords: Any
) -> MetaEvaluation:
    """Return the result; name the file or the flag in errors of its values."""
    with flags.errors():
        try:
            return meta_evaluate(scores, human, systems=systems, **keywords)
        except (TypeError, ValueError) as error:
            message = get_message(error)
            if message.startswith("human"):
                raise FileError(flags.human, str(message)) from error
            raise
