"""Read the predictions of several systems for the page, count them, and test the differences."""

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bleu_rouge_metric import Scorer, SystemComparison, compare_systems
from bleu_rouge_metric.files.lines import FileError
from bleu_rouge_metric.files.systems import name_systems
from bleu_rouge_metric.messages import get_message
from bleu_rouge_metric.text.warnings import collect_warnings

from . import files
from .files import TEXT, read_columns, read_samples
from .limits import ELSEWHERE, MAX_SECONDS, InputError
from .readers import TABLES
from .scores import Choices, count_samples, score_each

MAX_SYSTEMS: Final = 6
TESTS: Final = {
    "Approximate randomization": "approximate_randomization",
    "Paired bootstrap": "bootstrap",
}


class Design(NamedTuple):
    """How the page compares systems.

    Attributes:
        baseline: the system that the others are compared with; None or empty for the first.
        test: a key of ``TESTS``.
        seed: of the random stream.
    """

    baseline: str | None
    test: str
    seed: float | None


class SystemTexts(NamedTuple):
    """The texts of several systems.

    Attributes:
        predictions: one text per sample, by the name of the system.
        references: of each sample.
        source: what was read, in words.
    """

    predictions: dict[str, list[str]]
    references: list[list[str]]
    source: str


class Compared(NamedTuple):
    """What the page shows of a comparison.

    Attributes:
        comparison: scores, intervals and tests.
        texts: that were compared.
        choices: the options of the scores.
        each: by system and score, a float in [0, 1] for each sample; BLEU is ``sentence_bleu``.
        shown: the same with a smoothed ``sentence_bleu``.
        warnings: warnings of the library.
    """

    comparison: SystemComparison
    texts: SystemTexts
    choices: Choices
    each: dict[str, dict[str, list[float]]]
    shown: dict[str, dict[str, list[float]]]
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
) -> SystemTexts:
    """Read the systems: columns of one table, or one text file for each.

    Args:
        paths: a table with a column for each system and one of references; or text files.
        reference_paths: text files of references, if the systems are text files.
        columns: names of the columns of the systems; only for a table.
        reference_column: name of the column of references; only for a table.

    Raises:
        InputError: a file cannot be read, or the systems do not fit together.
    """
    if not paths:
        raise InputError(
            "There is no file yet; upload one table with a column for each system, or a .txt file "
            "for each system."
        )
    if len(paths) == 1 and paths[0].suffix.lower() in TABLES:
        return _read_table(paths[0], reference_paths, columns, reference_column)
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
    shown = " and ".join(path.name for path in reference_paths)
    return SystemTexts(
        predictions, references, f"{', '.join(path.name for path in paths)} with {shown}"
    )


def _read_table(
    path: Path,
    reference_paths: Sequence[Path],
    columns: Sequence[str],
    reference_column: str | None,
) -> SystemTexts:
    if not reference_column:
        raise InputError("Choose the column of the references.")
    _check_count(len(columns), "columns of systems")
    if reference_column in columns:
        raise InputError(
            f"The column {reference_column!r} holds the references; choose others for the systems."
        )
    predictions, references = read_columns(path, reference_paths, [*columns, reference_column])
    source = f"{path.name}, columns {', '.join(columns)} against {reference_column}"
    return SystemTexts(dict(zip(columns, predictions, strict=True)), references, source)


def _check_count(count: int, things: str) -> None:
    if not 2 <= count <= MAX_SYSTEMS:
        raise InputError(
            f"The number of {things} is {count}; this page compares 2 to {MAX_SYSTEMS} systems."
        )


def _name_row(system: str, index: int) -> str:
    return f"Row {index + 1} of {system}"


def compare(texts: SystemTexts, choices: Choices, design: Design) -> Compared:
    """Score and test systems; every sample is counted once.

    Raises:
        InputError: the options do not fit together, or the work takes too long.
    """
    deadline = time.monotonic() + MAX_SECONDS
    if design.baseline and design.baseline not in texts.predictions:
        names = ", ".join(map(repr, texts.predictions))
        raise InputError(f"The baseline is {design.baseline!r}; expected one of {names}.")
    seed = design.seed
    if seed is None or not 0 <= seed < 2**32 or seed != int(seed):
        raise InputError(f"The seed is {seed}; expected a whole number from 0 to {2**32 - 1:,}.")

    def check_time(done: int, total: int) -> None:
        if time.monotonic() > deadline and done < total:
            raise InputError(
                f"The comparison took more than {MAX_SECONDS} seconds and was stopped after "
                f"{done:,} of {total:,} resamples; compare fewer samples or scores, {ELSEWHERE}"
            )

    scorers: dict[str, Scorer] = {}
    with collect_warnings() as warnings:
        for name, predictions in texts.predictions.items():
            scorers[name] = count_samples(
                predictions,
                texts.references,
                choices,
                partial(_name_row, name),
                deadline,
            )
        try:
            comparison = compare_systems(
                scorers,
                baseline=design.baseline or None,
                test=TESTS[design.test],
                seed=int(seed),
                progress=check_time,
            )
        except InputError:
            raise
        except (TypeError, ValueError) as reason:
            raise InputError(get_message(reason)) from reason
        each = {name: score_each(scorer) for name, scorer in scorers.items()}
        shown = {name: score_each(scorer, smooth=True) for name, scorer in scorers.items()}
    return Compared(comparison, texts, choices, each, shown, list(dict.fromkeys(warnings)))
