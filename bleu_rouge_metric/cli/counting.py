"""Plan what ``bleu-rouge score`` counts: files in this process, or shards on an engine."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from ..files.input import FileError
from ..files.labels import read_group_labels
from ..files.samples import read_labelled_samples
from ..messages import get_message
from ..samples.inputs import Samples
from ..scoring.counting import count_portions
from ..scoring.lost_texts import warn_of_texts
from ..scoring.scorer import Scorer
from ..text.empty_texts import warn_of_empty_texts
from .flag_words import write_flags

# The unit of work if it is known how many samples there are.
SAMPLES: Final = "samples"


class Work(NamedTuple):
    """Samples to count.

    Attributes:
        total: amount of work, for the progress bar.
        unit: unit of the total.
        paths: paths of the files.
        run: fills a scorer; calls its second argument with the amount of work done since the last
            call.
    """

    total: int
    unit: str
    paths: Sequence[str]
    run: Callable[[Scorer, Callable[[int], None]], None]
    labels: list[str] | None = None


def read_groups(work: Work, predictions: str, name: str) -> list[str]:
    """Read the labels of the samples.

    Args:
        work: the samples.
        predictions: as in ``read_group_labels``.
        name: as in ``read_group_labels``.

    Raises:
        FileError: the labels cannot be read, or their number is not that of the samples.
    """
    if work.labels is not None:
        return work.labels
    column = read_group_labels(predictions, name)
    if work.unit == SAMPLES and len(column.texts) != work.total:
        raise FileError(
            column.path,
            f"the file has {len(column.texts):,} labels, but there are {work.total:,} samples; "
            "expected one label for each.",
        )
    return column.texts


@contextmanager
def name_file(path: str) -> Iterator[None]:
    """Name the file in errors of the block, which only counts samples of this file.

    Raises:
        FileError: a text cannot be counted, such as a sentence that is too long for ROUGE-W.
    """
    try:
        yield
    except (TypeError, ValueError) as error:
        raise FileError(path, write_flags(get_message(error))) from error


def count_into(scorer: Scorer, samples: Samples, path: str, advance: Callable[[int], None]) -> None:
    """Count samples of a file into a scorer.

    Args:
        scorer: takes the counts.
        samples: the samples.
        path: path of the predictions, for errors.
        advance: called with the number of samples that were counted since the last call.

    Raises:
        FileError: a text cannot be counted.
    """
    portions = count_portions(samples, scorer.options.plan(scorer.families).counting)
    while True:
        with name_file(path):
            portion = next(portions, None)
        if portion is None:
            return
        scorer.update_counts(portion)
        advance(len(portion.reference_counts))


def plan_files(
    predictions: str, references: Sequence[str], label: str | None = None, **files: Any
) -> Work:
    """Read the files to count them here; the arguments are those of ``read_labelled_samples``."""
    samples, labels = read_labelled_samples(predictions, references, label, **files)

    def count(scorer: Scorer, advance: Callable[[int], None]) -> None:
        warn_of_empty_texts(samples)
        count_into(scorer, samples, predictions, advance)
        warn_of_texts(samples, scorer.counts(), scorer.options.plan(scorer.families).counting)

    return Work(len(samples.predictions), SAMPLES, [predictions, *references], count, labels)
