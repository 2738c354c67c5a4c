"""The work of ``bleu-rouge meta-evaluate``; its flags are in ``meta_flags.py``.

The coefficients and tests are in ``analysis/meta``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..analysis.meta.meta_evaluate import check_plan, meta_evaluate
from ..analysis.meta.results import MetaEvaluation
from ..files.lines import FileError
from ..files.systems import read_systems
from ..messages import get_message
from ..options.options import Options
from ..scoring.scorer import Scorer
from .checks import check_environment, check_seed_flag, read_choice, read_families
from .comparison_flags import ComparisonFormat
from .file_flags import read_file_flags
from .flag_words import write_flags
from .messages import UsageError, one_line_warnings, print_report, usage_errors
from .option_flags import to_int, to_keywords, to_number
from .outside_files import read_json_file
from .system_comparisons import check_files, count_systems, split_systems, write_result

# Keywords of ``meta_evaluate`` in the words of the command.
_FLAGS: Final = {
    "level": "--level",
    "grouping": "--grouping",
    "coefficients": "--coefficient",
    "baseline": "--baseline",
    "resampled": "--resampled",
    "swapped": "--swapped",
    "n_resamples": "--resamples",
    "confidence": "--confidence",
    "correction": "--correction",
    "scores": "--scores",
    "human": "--human",
    "systems": "SYSTEMS",
}


def run_meta_evaluation(
    systems: Sequence[str] | None,
    *,
    references: Sequence[str] | None,
    columns: Sequence[str] | None,
    human: str,
    scores: str | None,
    baseline: str | None,
    coefficients: Sequence[str] | None,
    resamples: str,
    confidence: str,
    seed: str,
    report_format: str,
    family: str | None,
    **parameters: Any,
) -> None:
    """Compare metrics with people; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read, or ratings and scores do not fit together.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    names = ("level", "grouping", "resampled", "swapped", "correction")
    with one_line_warnings():
        with usage_errors(_FLAGS):
            check_environment()
            families = read_families(family)
            written = read_choice("--format", report_format, ComparisonFormat)
            options = Options.from_keywords(to_keywords(parameters), families)
            files = read_file_flags(parameters)
            named = split_systems(columns or [])
            design = {
                **{name: parameters[name] for name in names},
                "coefficients": coefficients or None,
                "n_resamples": to_int("n_resamples", resamples),
                "confidence": to_number("confidence", confidence),
                "seed": check_seed_flag(seed),
            }
            check_plan(**design)
        outside = None if scores is None else read_json_file(scores)
        ratings = read_json_file(human)
        scorers: dict[str, Scorer] | None = None
        if systems:
            check_files(systems, named, files["prediction_column"])
            samples = read_systems(systems, references or [], columns=named, **files)
            scorers = count_systems(samples, options, families, design["seed"])
        elif scores is None:
            raise UsageError("there are no scores; give files of SYSTEMS, or --scores FILE.")
        elif references or named:
            raise UsageError("--references and --systems are given without SYSTEMS; give files.")
        result = _evaluate(outside, ratings, scorers, human, baseline=baseline, **design)
        print_report(lambda: write_result(result, written))


def _evaluate(
    scores: Any, human: Any, scorers: Mapping[str, Scorer] | None, path: str, **keywords: Any
) -> MetaEvaluation:
    """Return the result; name the file or the flag in errors of its values."""
    try:
        return meta_evaluate(scores, human, systems=scorers, **keywords)
    except (TypeError, ValueError) as error:
        message = get_message(error)
        if message.startswith("human"):
            raise FileError(path, str(message)) from error
        raise UsageError(write_flags(message, _FLAGS)) from error
