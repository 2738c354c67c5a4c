"""The work of ``bleu-rouge buckets``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..analysis.buckets.compare import compare_buckets
from ..analysis.buckets.differences import ngram_differences
from ..analysis.significance_design import check_design
from ..files.columns import ColumnChoice
from ..files.lines import InputFile
from ..files.samples import read_texts
from ..files.systems import SystemSamples
from ..messages import get_message
from ..scoring.results import choose_factor
from ..text.empty_texts import warn_of_empty_texts
from .flag_words import write_flags
from .messages import UsageError, print_report
from .option_flags import to_number
from .progress import show_steps
from .systems import check_baseline, read_flags, scale_scores, write_result
from .values import Values

# Flags that apply only to one of the two, with their defaults.
_OF_NGRAMS: Final[Mapping[str, Any]] = dict.fromkeys(("system", "kind", "lowest_order", "limit"))
_OF_BUCKETS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("edges", "labels", "text", "clusters", "test", "correction")),
    "alternative": "two-sided",
}
_DESIGN: Final = ("test", "n_resamples", "confidence", "seed", "alternative", "correction")


def run_buckets(flags: Values) -> None:
    """Compare systems in buckets.

    Raises:
        FileError: a file cannot be read.
        UsageError: a flag has a wrong value, or flags do not go together.
    """
    is_of_ngrams = flags.by == "ngram"
    for name, default in (_OF_BUCKETS if is_of_ngrams else _OF_NGRAMS).items():
        if getattr(flags, name) != default:
            # Python does not have this choice.
            flag = flags.names[name]
            raise UsageError(f"{flag} does not apply to --by {flags.by}; leave it out.")
    keywords = {**flags.keywords, **flags.pick("baseline", "family")}
    with flags.errors():
        if is_of_ngrams:
            own = flags.pick("confidence", "seed", "n_resamples", *_OF_NGRAMS)
            keywords |= {name: value for name, value in own.items() if value is not None}
        else:
            design = flags.pick(*_DESIGN)
            check_design(**design, convention=None, draw=0)
            keywords |= design
            if flags.edges is not None:
                keywords["edges"] = [to_number("edges", part) for part in flags.edges.split(",")]
    samples = read_flags(flags, "clusters", "labels")
    check_baseline(flags.baseline, list(samples.systems))
    texts, gold = _list_texts(samples)
    if is_of_ngrams:
        with flags.errors():
            listed = ngram_differences(texts, gold, **keywords)
        print_report(lambda: write_result(listed, flags.report_format))
        return
    if flags.text is not None:
        keywords["text"] = _read_frequency_texts(flags)
    with show_steps("resamples", "Testing") as progress, flags.errors():
        found = compare_buckets(
            texts,
            gold,
            by=flags.by,
            labels=_read_labels(samples, numeric="edges" in keywords),
            clusters=samples.labels.get("--clusters"),
            progress=progress,
            **keywords,
        )
    # The scores of words are from 0 to 1 under every profile.
    percent = flags.percent
    is_scaled = flags.by in ("length", "label")
    factor = choose_factor(flags.options, percent=percent) if is_scaled else 100 if percent else 1
    scaled = replace(found, comparison=scale_scores(found.comparison, factor, ()))
    print_report(lambda: write_result(scaled, flags.report_format))


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
    labels = samples.labels.get("--label")
    if labels is None or not numeric:
        return labels
    try:
        return [to_number("labels", label) for label in labels]
    except ValueError as error:
        message = write_flags(get_message(error), {"labels": "--label"})
        raise UsageError(f"{message} --edges needs it.") from error


def _read_frequency_texts(flags: Values) -> list[str]:
    """Return the texts of the file in which words are counted."""
    formats = {name: value for name, value in flags.files.items() if not name.endswith("column")}
    file = InputFile.from_path(flags.text, **formats)
    return read_texts(file, ColumnChoice(None, ("text",), "--text", allows_lists=False)).texts
