"""Score files and write a CSV file: ``rouge_score.io``."""

import glob
import logging
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import IO, Any, Final

# Parity: the records go to the logger of absl, which rouge_score uses.
_LOGGER: Final = logging.getLogger("absl")

_PARTS: Final = {"R": "recall", "P": "precision", "F": "fmeasure"}


def compute_scores_and_write_to_csv(  # noqa: PLR0917 - as there
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: Any,
    aggregator: Any,
    delimiter: str = "\n",
) -> None:
    """Score the records of files, and write a CSV file.

    Args:
        target_filepattern: pattern of the files of references.
        prediction_filepattern: pattern of the files of predictions.
        output_filename: the file that is written.
        scorer: a ``RougeScorer``.
        aggregator: a ``BootstrapAggregator``; None to write the scores of each record.
        delimiter: what ends a record.

    Raises:
        ValueError: no file matches, or the numbers of files or of records differ.
    """
    targets, predictions = _glob(target_filepattern), _glob(prediction_filepattern)
    if not targets or len(targets) != len(predictions):
        raise ValueError(
            f"{target_filepattern} matches {len(targets)} target files, and "
            f"{prediction_filepattern} matches {len(predictions)} prediction files; expected the "
            "same number of both, at least one."
        )
    scores = _compute_scores(targets, predictions, scorer, delimiter)
    if aggregator:
        for score in scores:
            aggregator.add_scores(score)
        _write_aggregates_to_csv(output_filename, aggregator.aggregate())
    else:
        _write_scores_to_csv(output_filename, scores)


def _glob(filepattern: str) -> list[str]:
    return glob.glob(filepattern)  # noqa: PTH207 - as there: a pattern may be absolute


def _open(filepattern: str, mode: str = "r") -> IO[str]:
    return open(filepattern, mode)  # noqa: PTH123 - as there: the locale decides


def _record_gen(filename: str, delimiter: str | bytes) -> Iterator[str]:
    """Iterate over the records of a file."""
    end = delimiter.decode() if isinstance(delimiter, bytes) else delimiter
    with _open(filename) as file:
        *records, rest = file.read().split(end)
    yield from records
    if rest:
        _LOGGER.warning("%s does not end with the delimiter.", filename)
        yield rest


def _compute_scores(
    target_filenames: Sequence[str],
    prediction_filenames: Sequence[str],
    scorer: Any,
    delimiter: str | bytes,
) -> list[Any]:
    """Return the scores of each record; the files of both are paired in the order of names."""
    scores: list[Any] = []
    pairs = zip(sorted(target_filenames), sorted(prediction_filenames), strict=True)
    for target_filename, prediction_filename in pairs:
        targets = _record_gen(target_filename, delimiter)
        predictions = _record_gen(prediction_filename, delimiter)
        for target, prediction in zip_longest(targets, predictions):
            if target is None or prediction is None:
                raise ValueError(
                    f"{target_filename} and {prediction_filename} have different numbers of "
                    "records; expected a prediction for each target."
                )
            scores.append(scorer.score(target, prediction))
    return scores


def _write_aggregates_to_csv(output_filename: str, aggregates: Mapping[str, Any]) -> None:
    """Write the bounds of each score, a row for each of its parts."""
    with _open(output_filename, "w") as file:
        file.write("score_type,low,mid,high\n")
        for name, bounds in sorted(aggregates.items()):
            for letter, part in _PARTS.items():
                numbers = _write_numbers(getattr(bound, part) for bound in bounds)
                file.write(f"{name}-{letter}{numbers}\n")


def _write_scores_to_csv(output_filename: str, scores: Sequence[Mapping[str, Any]]) -> None:
    """Write the scores of each record in a row; nothing if there is none."""
    if not scores:
        _LOGGER.warning("There are no scores to write.")
        return
    names = sorted(scores[0])
    with _open(output_filename, "w") as file:
        columns = [f"{name}-{letter}" for name in names for letter in "PRF"]
        file.write(",".join(["id", *columns]) + "\n")
        for index, row in enumerate(scores):
            numbers = (getattr(row[name], _PARTS[letter]) for name in names for letter in "PRF")
            file.write(f"{index}{_write_numbers(numbers)}\n")


def _write_numbers(numbers: Iterator[float]) -> str:
    return "".join(f",{number:f}" for number in numbers)
