"""Score files and write a CSV file: ``rouge_score.io``."""

import glob
from pathlib import Path
from typing import Any

from ...messages import count_noun


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
            f"{target_filepattern} matches {count_noun(len(targets), 'file')}, and "
            f"{prediction_filepattern} matches {count_noun(len(predictions), 'file')}; expected "
            "the same number of both, at least one."
        )
    pairs = zip(targets, predictions, strict=True)
    scores = [scorer.score(*pair) for files in pairs for pair in _pair_records(files, delimiter)]
    if aggregator:
        for score in scores:
            aggregator.add_scores(score)
        rows = [["score_type", "low", "mid", "high"]]
        for name, bounds in sorted(aggregator.aggregate().items()):
            for part in ("recall", "precision", "fmeasure"):
                numbers = [f"{getattr(bound, part):f}" for bound in bounds]
                rows.append([f"{name}-{part[0].upper()}", *numbers])
    else:
        names = sorted(scores[0]) if scores else []
        rows = [["id", *(f"{name}-{letter}" for name in names for letter in "PRF")]]
        for index, score in enumerate(scores):
            rows.append([str(index), *(f"{number:f}" for name in names for number in score[name])])
    if scores or aggregator:
        Path(output_filename).write_text("".join(f"{','.join(row)}\n" for row in rows))


def _pair_records(files: tuple[str, str], delimiter: str | bytes) -> list[tuple[str, str]]:
    """Return the records of a file of references with those of one of predictions."""
    end = delimiter.decode() if isinstance(delimiter, bytes) else delimiter
    targets, predictions = sides = [Path(name).read_text().split(end) for name in files]
    for side in sides:
        if not side[-1]:
            side.pop()
    if len(targets) != len(predictions):
        raise ValueError(
            f"{files[0]} and {files[1]} have different numbers of records; expected a prediction "
            "for each target."
        )
    return list(zip(targets, predictions, strict=True))
