"""What ``bleu-rouge score`` counts, and how: files in this process, or shards on an engine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ..files.lines import FileError, FileFormat
from ..files.samples import read_samples
from ..scoring.counting import count_portions
from ..scoring.lost_texts import warn_of_texts
from ..scoring.scorer import Scorer


class Work(NamedTuple):
    """Samples that wait to be counted.

    Attributes:
        total: how much there is of it, for the progress bar.
        unit: of the total.
        paths: of the files.
        run: fills a scorer; calls its second argument with how much more is done.
    """

    total: int
    unit: str
    paths: Sequence[str]
    run: Callable[[Scorer, Callable[[int], None]], None]


@contextmanager
def name_file(path: str) -> Iterator[None]:
    """Where samples of a file are counted, and nothing else is done.

    Raises:
        FileError: a text cannot be counted, such as a sentence that is too long for ROUGE-W.
    """
    try:
        yield
    except (TypeError, ValueError) as error:
        raise FileError(path, str(error)) from error


def plan_files(
    predictions: str,
    references: Sequence[str],
    *,
    prediction_column: str | None,
    reference_column: str | None,
    stdin_format: FileFormat,
) -> Work:
    """Reads the files, to count them in this process; arguments as of ``read_samples``."""
    samples = read_samples(
        predictions,
        references,
        prediction_column=prediction_column,
        reference_column=reference_column,
        stdin_format=stdin_format,
    )

    def count(scorer: Scorer, advance: Callable[[int], None]) -> None:
        plan = scorer.options.plan(scorer.families).counting
        portions = count_portions(samples, plan)
        while True:
            with name_file(predictions):
                portion = next(portions, None)
            if portion is None:
                break
            scorer.update_counts(portion)
            advance(len(portion.reference_counts))
        warn_of_texts(samples, scorer.counts(), plan)

    return Work(len(samples.predictions), "samples", [predictions, *references], count)
