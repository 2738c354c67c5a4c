"""Score files and write a CSV file: ``rouge_score.io``."""

import glob
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any


def compute_scores_and_write_to_csv(
    target_filepattern: str,
    prediction_filepattern: str,
    output_filename: str,
    scorer: Any,
    aggregator: Any,
    delimiter: str | bytes = "\n",
) -> None:
    """Score the records of files, and write a CSV file, none without records.

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
    # Patterns may be absolute.
    targets, predictions = (
        sorted(glob.glob(pattern))  # noqa: PTH207
        for pattern in (target_filepattern, prediction_filepattern)
    )
    if not targets or len(targets) != len(predictions):
        raise ValueError(
            f"{target_filepattern} matches {len(targets)} target files, and "
            f"{prediction_filepattern} matches {len(predictions)} prediction files; expected the "
            "same number of both, at least one."
        )
    scores = []
    for pair in zip(targets, predictions, strict=True):
        for target, prediction in zip_longest(*(_record_gen(name, delimiter) for name in pair)):
            if target is None or prediction is None:
                raise ValueError(
                    f"{pair[0]} and {pair[1]} have different numbers of records; expected a "
                    "prediction for each target."
                )
            scores.append(scorer.score(target, prediction))
    if aggregator:
        for score in scores:
            aggregator.add_scores(score)
        rows = [
            (f"{name}-{letter}", [getattr(bound, part) for bound in bounds])
            for name, bounds in sorted(aggregator.aggregate().items())
            for letter, part in (("R", "recall"), ("P", "precision"), ("F", "fmeasure"))
        ]
        _write(output_filename, ["score_type", "low", "mid", "high"], rows)
    elif scores:
        names = sorted(scores[0])
        head = ["id", *(f"{name}-{letter}" for name in names for letter in "PRF")]
        each = enumerate([number for name in names for number in row[name]] for row in scores)
        _write(output_filename, head, [(str(index), numbers) for index, numbers in each])


def _record_gen(filename: str, delimiter: str | bytes) -> Iterator[str]:
    """Iterate over the records of a file."""
    end = delimiter.decode() if isinstance(delimiter, bytes) else delimiter
    with Path(filename).open() as file:
        *records, rest = file.read().split(end)
    yield from records
    if rest:
        yield rest


def _write(filename: str, head: list[str], rows: Sequence[tuple[str, list[float]]]) -> None:
    """Write a CSV file."""
    lines = [",".join(head)]
    lines += [",".join([name, *(f"{number:f}" for number in numbers)]) for name, numbers in rows]
    with Path(filename).open("w") as file:
        file.write("\n".join([*lines, ""]))
