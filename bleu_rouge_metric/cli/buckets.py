"""The work of ``bleu-rouge buckets``; its flags are in ``bucket_flags.py``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..analysis.buckets.compare import compare_buckets
from ..analysis.buckets.differences import ngram_differences
from ..files.columns import ColumnChoice
from ..files.lines import InputFile
from ..files.samples import read_texts
from ..files.systems import SystemSamples, read_systems
from ..messages import get_message
from ..options.options import Options
from ..scoring.results import choose_factor
from ..text.empty_texts import warn_of_empty_texts
from .bucket_flags import Buckets
from .checks import check_environment, check_seed_flag, read_choice, read_families
from .comparison_flags import ComparisonFormat
from .file_flags import read_file_flags, read_file_formats
from .flag_words import write_flags
from .messages import UsageError, one_line_warnings, print_report, usage_errors
from .option_flags import to_flag, to_int, to_keywords, to_number
from .progress import show_steps
from .system_comparisons import (
    FLAGS,
    check_baseline,
    check_files,
    read_design,
    scale_scores,
    split_systems,
    write_result,
)

# Keywords of ``compare_buckets`` and ``ngram_differences`` in the words of the command.
_FLAGS: Final = {
    **FLAGS,
    "by": "--by",
    "edges": "--edges",
    "labels": "--label",
    "text": "--text",
    "system": "--system",
    "baseline": "--baseline",
    "kind": "--kind",
    "lowest_order": "--lowest-order",
    "limit": "--limit",
}

_LABEL: Final = "--label"
_CLUSTERS: Final = "--clusters"

# Flags that apply only to one of the two, with their defaults.
_OF_NGRAMS: Final[Mapping[str, str | None]] = dict.fromkeys(
    ("system", "kind", "lowest_order", "limit")
)
_OF_BUCKETS: Final[Mapping[str, str | None]] = {
    **dict.fromkeys(("edges", "label", "text", "clusters", "test", "correction")),
    "alternative": "two-sided",
}


def run_buckets(
    systems: list[str], references: list[str] | None, columns: list[str] | None, **flags: Any
) -> None:
    """Compare systems in buckets; the parameters are the flags as they were typed.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    with one_line_warnings():
        with usage_errors(_FLAGS):
            check_environment()
            families = read_families(flags["family"])
            written = read_choice("--format", flags["report_format"], ComparisonFormat)
            by = read_choice("--by", flags["by"], Buckets)
            _check_flags(by, flags)
            keywords = to_keywords({k: v for k, v in flags.items() if k != "confidence"})
            options = Options.from_keywords(keywords, families)
            files = read_file_flags(flags)
            named = split_systems(columns or [])
            keywords |= _read_numbers(flags) if by is Buckets.NGRAM else _read_tests(flags)
        check_files(systems, named, files["prediction_column"])
        labels = {_CLUSTERS: flags["clusters"], _LABEL: flags["label"]}
        samples = read_systems(
            systems,
            references or [],
            columns=named,
            labels={flag: name for flag, name in labels.items() if name is not None},
            filter_name=flags["harness_filter"],
            **files,
        )
        check_baseline(flags["baseline"], list(samples.systems))
        keywords |= {"baseline": flags["baseline"], "family": flags["family"]}
        texts, gold = _list_texts(samples)
        if by is Buckets.NGRAM:
            with usage_errors(_FLAGS):
                listed = ngram_differences(texts, gold, **keywords)
            print_report(lambda: write_result(listed, written))
            return
        if flags["text"] is not None:
            keywords["text"] = _read_frequency_texts(flags)
        with show_steps("resamples", "Testing") as progress, usage_errors(_FLAGS):
            found = compare_buckets(
                texts,
                gold,
                by=by.value,
                labels=_read_labels(samples, numeric="edges" in keywords),
                clusters=samples.labels.get(_CLUSTERS),
                progress=progress,
                **keywords,
            )
        # The scores of words are from 0 to 1 under every profile.
        is_scaled = by in (Buckets.LENGTH, Buckets.LABEL)
        percent = flags["percent"]
        factor = choose_factor(options, percent=percent) if is_scaled else 100 if percent else 1
        scaled = replace(found, comparison=scale_scores(found.comparison, factor, ()))
        print_report(lambda: write_result(scaled, written))


def _check_flags(by: Buckets, flags: Mapping[str, Any]) -> None:
    """Raise ValueError if a flag is given that does not apply."""
    for name, default in (_OF_BUCKETS if by is Buckets.NGRAM else _OF_NGRAMS).items():
        if flags[name] != default:
            # Python does not have this choice.
            raise ValueError(f"{to_flag(name)} does not apply to --by {by.value}; leave it out.")


def _read_tests(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``compare_buckets`` that are not files."""
    names = ("test", "confidence", "seed", "alternative", "correction")
    keywords = read_design(
        n_resamples=flags["resamples"],
        convention=None,
        margin=None,
        **{name: flags[name] for name in names},
    )
    del keywords["convention"], keywords["margin"]
    if flags["edges"] is not None:
        keywords["edges"] = [to_number("edges", part) for part in flags["edges"].split(",")]
    return keywords


def _read_numbers(flags: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``ngram_differences`` that are not files."""
    keywords: dict[str, Any] = {
        "confidence": to_number("confidence", flags["confidence"]),
        "seed": check_seed_flag(flags["seed"]),
        "system": flags["system"],
    }
    if flags["kind"] is not None:
        keywords["kind"] = flags["kind"]
    counts = {"n_resamples": "resamples", "lowest_order": "lowest_order", "limit": "limit"}
    for name, flag in counts.items():
        if flags[flag] is not None:
            keywords[name] = to_int(name, flags[flag])
    return keywords


def _list_texts(samples: SystemSamples) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Return the predictions of each system, and the references of each sample."""
    for name, one in samples.systems.items():
        warn_of_empty_texts(one, name, check_references=one is next(iter(samples.systems.values())))
    first = next(iter(samples.systems.values()))
    texts = {
        name: [prediction for prediction, _ in one.by_sample()]
        for name, one in samples.systems.items()
    }
    return texts, [references for _, references in first.by_sample()]


def _read_labels(samples: SystemSamples, *, numeric: bool) -> list[Any] | None:
    """Return the labels, as numbers if these are put into ranges."""
    labels = samples.labels.get(_LABEL)
    if labels is None or not numeric:
        return labels
    try:
        return [to_number("labels", label) for label in labels]
    except ValueError as error:
        raise UsageError(f"{write_flags(get_message(error), _FLAGS)} --edges needs it.") from error


def _read_frequency_texts(flags: Mapping[str, Any]) -> list[str]:
    """Return the texts of the file in which words are counted."""
    file = InputFile.from_path(flags["text"], **read_file_formats(flags))
    return read_texts(file, ColumnChoice(None, ("text",), "--text", allows_lists=False)).texts
