"""What ``bleu-rouge score`` counts, and how: files in this process, or shards on an engine."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from bleu_rouge_metric.sample_counts import count_portions, warn_of_losses
from bleu_rouge_metric.scorer import Scorer

from .file_lines import FileFormat
from .files import read_samples


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
        for portion in count_portions(samples, scorer.options, scorer.families):
            scorer.update_counts(portion)
            advance(len(portion.reference_counts))
        warn_of_losses(samples, scorer.counts(), scorer.options)

    return Work(len(samples.predictions), "samples", [predictions, *references], count)
