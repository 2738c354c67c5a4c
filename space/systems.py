"""Read the predictions of several systems for the page, count them, and test the differences."""

import csv
import io
import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from bleu_rouge_metric import Scorer, SystemComparison, SystemRanking, compare_systems
from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import name_systems
from bleu_rouge_metric.messages import get_message
from bleu_rouge_metric.resampling.draws import Progress
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.mistakes import warn_of_empty_texts
from bleu_rouge_metric.text.warnings import collect_warnings

from . import files
from .files import TABLES, TEXT, read_columns, read_samples
from .limits import ELSEWHERE, MAX_SECONDS, InputError
from .scores import Choices, count_samples, score_each

MAX_SYSTEMS: Final = 6
_LABEL_FLAGS: Final = {"clusters": "--clusters", "groups": "--group-by"}
TESTS: Final = {
    "approximate_randomization": "approximate randomization",
    "bootstrap": "paired bootstrap",
}
CORRECTIONS: Final = {
    "": "none",
    "holm": "Holm",
    "bonferroni": "Bonferroni",
    "fdr_bh": "Benjamini-Hochberg",
}
ALTERNATIVES: Final = {"two-sided": "two-sided", "greater": "one-sided: is it better?"}


class Design(NamedTuple):
    """How the page compares systems, in the order of the controls.

    Attributes:
        baseline: the system that the others are compared with; None or empty for the first.
        test: as in ``compare_systems``.
        seed: of the random stream.
        n_resamples: as in ``compare_systems``.
        correction: as in ``compare_systems``; empty for none.
        alternative: as in ``compare_systems``.
    """

    baseline: str | None = None
    test: str = "approximate_randomization"
    seed: float | None = 12345
    n_resamples: float | None = None
    correction: str = "holm"
    alternative: str = "two-sided"

    def make_keywords(self) -> dict[str, Any]:
        """Return the arguments of ``compare_systems``."""
        numbers = {
            name: int(value) if value is not None and value == int(value) else value
            for name, value in (("seed", self.seed), ("n_resamples", self.n_resamples))
        }
        others = {"baseline": self.baseline or None, "correction": self.correction or None}
        return {**self._asdict(), **numbers, **others}


class SystemTexts(NamedTuple):
    """The texts of several systems.

    Attributes:
        predictions: one text per sample, by the name of the system.
        references: of each sample.
        source: what was read, in words.
        arguments: those of ``bleu-rouge compare`` for the same texts.
        labels: one text per sample, by ``clusters`` and ``groups``, if they are columns.
    """

    predictions: dict[str, list[str]]
    references: list[list[str]]
    source: str
    arguments: tuple[str, ...]
    labels: Mapping[str, Any] = MappingProxyType({})


class ScoredSystems(NamedTuple):
    """Systems with the scores of their samples.

    Attributes:
        texts: that were scored.
        choices: the options of the scores.
        shown: by system and score, a float for each sample; ``sentence_bleu`` is smoothed.
        baseline: the system that the others are compared with.
    """

    texts: SystemTexts
    choices: Choices
    shown: dict[str, dict[str, list[float]]]
    baseline: str

    def list_scores(self, score: str, system: str) -> list[float]:
        """Return the scores of the samples."""
        return self.shown[system]["sentence_bleu" if score == "bleu" else score]


class Compared(NamedTuple):
    """What the page shows of a comparison.

    Attributes:
        comparison: scores, intervals and tests.
        ranking: tests of all pairs; None for two systems or one-sided tests.
        systems: with the scores of their samples.
        each: as ``systems.shown``, without smoothing.
        warnings: warnings of the library.
    """

    comparison: SystemComparison
    ranking: SystemRanking | None
    systems: ScoredSystems
    each: dict[str, dict[str, list[float]]]
    warnings: list[str]


def list_columns(paths: Sequence[Path]) -> list[str]:
    """Return the columns of the one table that holds all systems; else an empty list.

    Raises:
        InputError: the table is too large, or cannot be read.
    """
    if len(paths) != 1 or paths[0].suffix.lower() not in TABLES:
        return []
    return files.list_columns(paths[0])


def list_names(paths: Sequence[Path]) -> list[str]:
    """Return the names of systems that are text files, as the command names them.

    Raises:
        InputError: two files have the same name.
    """
    try:
        return name_systems([path.name for path in paths])
    except FileError as error:
        raise InputError(
            f"{error.path} is there twice; give every system a file of another name."
        ) from error


def read_systems(
    paths: Sequence[Path],
    reference_paths: Sequence[Path],
    columns: Sequence[str],
    reference_column: str | None,
    labels: Mapping[str, str | None],
) -> SystemTexts:
    """Read the systems: columns of one table, or one text file for each.

    Args:
        paths: a table with a column for each system and one of references; or text files.
        reference_paths: text files of references, if the systems are text files.
        columns: names of the columns of the systems; only for a table.
        reference_column: name of the column of references; only for a table.
        labels: names of the columns of clusters and groups, or nothing; only for a table.

    Raises:
        InputError: a file cannot be read, or the systems do not fit together.
    """
    if not paths:
        raise InputError(
            "There is no file yet; upload one table with a column for each system, or a .txt file "
            "for each system."
        )
    if len(paths) == 1 and paths[0].suffix.lower() in TABLES:
        return _read_table(paths[0], reference_paths, columns, reference_column, labels)
    tables = [path.name for path in paths if path.suffix.lower() != TEXT]
    if tables:
        raise InputError(
            f"{tables[0]} is one of several files; expected one table with a column for each "
            "system, or a .txt file for each system."
        )
    _check_count(len(paths), "files of systems")
    names = list_names(paths)
    predictions: dict[str, list[str]] = {}
    for name, path in zip(names, paths, strict=True):
        predictions[name], references = read_samples(path, reference_paths, "", "")
    given, theirs = [path.name for path in paths], [path.name for path in reference_paths]
    source = f"{', '.join(given)} with {' and '.join(theirs)}"
    flags = files.list_format_flags(paths[0])
    arguments = (*given, "--references", *theirs, *flags)
    return SystemTexts(predictions, references, source, arguments)


def _read_table(
    path: Path,
    reference_paths: Sequence[Path],
    columns: Sequence[str],
    reference_column: str | None,
    labels: Mapping[str, str | None],
) -> SystemTexts:
    if not reference_column:
        raise InputError("Choose the column of the references.")
    _check_count(len(columns), "columns of systems")
    if reference_column in columns:
        raise InputError(
            f"The column {reference_column!r} holds the references; choose others for the systems."
        )
    chosen = {name: column for name, column in labels.items() if column}
    wanted = [*columns, *chosen.values(), reference_column]
    texts, references = read_columns(path, reference_paths, wanted)
    # The command reads the names as a line of CSV.
    names = io.StringIO()
    csv.writer(names, lineterminator="").writerow(columns)
    flags = {
        "--system-columns": names.getvalue(),
        "--reference-column": reference_column,
        **{_LABEL_FLAGS[name]: column for name, column in chosen.items()},
    }
    return SystemTexts(
        dict(zip(columns, texts, strict=False)),
        references,
        f"{path.name}, columns {', '.join(columns)} against {reference_column}",
        (path.name, *chain.from_iterable(flags.items()), *files.list_format_flags(path)),
        dict(zip(chosen, texts[len(columns) :], strict=True)),
    )


def _check_count(count: int, things: str) -> None:
    if not 2 <= count <= MAX_SYSTEMS:
        raise InputError(
            f"The number of {things} is {count}; this page compares 2 to {MAX_SYSTEMS} systems."
        )


def _name_row(system: str, index: int) -> str:
    return f"Row {index + 1} of {system}"


def count_systems(texts: SystemTexts, choices: Choices, deadline: float) -> dict[str, Scorer]:
    """Count every system; the arguments are those of ``count_samples``."""
    return {
        name: count_samples(
            predictions, texts.references, choices, partial(_name_row, name), deadline
        )
        for name, predictions in texts.predictions.items()
    }


def score_systems(
    texts: SystemTexts, choices: Choices, scorers: Mapping[str, Scorer], baseline: str
) -> ScoredSystems:
    """Return the systems with the scores of their samples."""
    shown = {name: score_each(scorer, **choices.smoothing) for name, scorer in scorers.items()}
    return ScoredSystems(texts, choices, shown, baseline)


def limit_time(deadline: float) -> Progress:
    """Return what raises InputError once the deadline has passed and resamples are missing."""

    def check_time(done: int, total: int) -> None:
        if time.monotonic() > deadline and done < total:
            raise InputError(
                f"The comparison took more than {MAX_SECONDS} seconds and was stopped after "
                f"{done:,} of {total:,} resamples; compare fewer samples or scores, {ELSEWHERE}"
            )

    return check_time


def _rank(
    scorers: Mapping[str, Scorer], texts: SystemTexts, design: Design, progress: Progress
) -> SystemRanking | None:
    """Rank three systems or more by tests of all pairs; None if that is not asked for."""
    if len(scorers) < 3 or design.alternative != "two-sided":
        return None
    keywords = {**design.make_keywords(), **texts.labels, "baseline": None}
    return compare_systems(scorers, pairs="all", progress=progress, **keywords)


def compare(texts: SystemTexts, choices: Choices, design: Design) -> Compared:
    """Score and test systems; every sample is counted once.

    Raises:
        InputError: the options do not fit together, or the work takes too long.
    """
    deadline = time.monotonic() + MAX_SECONDS
    check_time = limit_time(deadline)
    if design.baseline and design.baseline not in texts.predictions:
        names = ", ".join(map(repr, texts.predictions))
        raise InputError(f"The baseline is {design.baseline!r}; expected one of {names}.")

    with collect_warnings() as warnings:
        scorers = count_systems(texts, choices, deadline)
        for place, (name, predictions) in enumerate(texts.predictions.items()):
            samples = check_samples(predictions, texts.references)
            warn_of_empty_texts(samples, name, check_references=not place)
        try:
            comparison = compare_systems(
                scorers, **design.make_keywords(), **texts.labels, progress=check_time
            )
            # A seed that was drawn is that of both.
            ranking = _rank(scorers, texts, design._replace(seed=comparison.seed), check_time)
        except InputError:
            raise
        except (TypeError, ValueError) as reason:
            raise InputError(get_message(reason)) from reason
    systems = score_systems(texts, choices, scorers, comparison.baseline)
    each = {name: score_each(scorer) for name, scorer in scorers.items()}
    return Compared(comparison, ranking, systems, each, list(dict.fromkeys(warnings)))
