"""The command ``bleu-rouge``: BLEU and ROUGE of files.

A wrong file or option is one line on standard error, ``bleu-rouge: FILE:LINE: message``, and exit
status 2.
Neither ``evaluate`` nor ``datasets`` is imported: they would take most of the command's time.
"""

import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from bleu_rouge_metric import __version__
from bleu_rouge_metric.counts import kernel_name
from bleu_rouge_metric.options import FAMILIES, Family, Options
from bleu_rouge_metric.scorer import (
    Value,
    concatenate_counts,
    count_portions,
    score_counts,
)

from . import flags
from .file_lines import FileError, FileFormat, describe
from .files import read_samples
from .progress import show_progress
from .reports import ReportFormat, report
from .sample_files import check_sample_path, open_sample_file

_NAME: Final = "bleu-rouge"
_FAILED: Final = 2
# What a shell reports for a command that SIGINT or SIGPIPE ended.
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141

# The largest that NumPy's legacy generator takes.
_LARGEST_SEED: Final = 2**32 - 1


app = typer.Typer(
    name=_NAME,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(*, wanted: bool) -> None:
    """Prints the version and ends the command."""
    if wanted:
        typer.echo(f"{_NAME} {__version__} ({kernel_name} kernel)")
        raise typer.Exit


@app.callback()
def describe_command(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """BLEU and ROUGE of generated texts, with the very numbers of the reference libraries."""


@app.command(help=flags.HELP, epilog=flags.EPILOG, no_args_is_help=True)
def score(
    predictions: flags.Predictions,
    references: flags.References,
    *,
    prediction_column: flags.PredictionColumn = None,
    reference_column: flags.ReferenceColumn = None,
    stdin_format: flags.StdinFormat = FileFormat.TEXT,
    report_format: flags.Format = ReportFormat.TABLE,
    per_sample: flags.PerSample = None,
    family: flags.FamilyOption = None,
    tokenizer: flags.TokenizerOption = None,
    max_order: flags.MaxOrder = None,
    smooth: flags.Smooth = None,
    sentence_bleu: flags.SentenceBleu = None,
    bleu_tokenizer: flags.BleuTokenizer = None,
    rouge_type: flags.RougeType = None,
    use_stemmer: flags.UseStemmer = None,
    detailed: flags.Detailed = None,
    rouge_tokenizer: flags.RougeTokenizer = None,
    sentence_splitter: flags.SentenceSplitter = None,
    use_aggregator: flags.UseAggregator = None,
    aggregator: flags.Aggregator = None,
    n_resamples: flags.NResamples = None,
    seed: flags.Seed = None,
) -> None:
    """Score files; the help is ``flags.HELP``."""
    with _one_line_errors():
        families = [name for name in FAMILIES if family is None or name == family.value]
        options = _check_options(
            {
                "max_order": max_order,
                "smooth": smooth,
                "rouge_types": rouge_type or None,
                "use_stemmer": use_stemmer,
                "use_aggregator": use_aggregator,
                "aggregator": aggregator,
                "n_resamples": n_resamples,
                "tokenizer": tokenizer,
                "bleu_tokenizer": bleu_tokenizer,
                "rouge_tokenizer": rouge_tokenizer,
                "sentence_splitter": sentence_splitter,
                "detailed": detailed,
                "sentence_bleu": sentence_bleu,
            },
            families,
        )
        _check_seed(seed)
        _check_format(options, report_format)
        if per_sample is not None:
            check_sample_path(per_sample, [predictions, *references])
        samples = read_samples(
            predictions,
            references,
            prediction_column=prediction_column,
            reference_column=reference_column,
            stdin_format=stdin_format,
        )
        sample_file = nullcontext() if per_sample is None else open_sample_file(per_sample)
        with sample_file as write_samples, show_progress(len(samples.predictions)) as advance:
            portions = []
            for portion in count_portions(samples, options, families):
                portions.append(portion)
                advance(len(portion.reference_counts))
            counts = concatenate_counts(portions)
            scores = score_counts(counts, options, seed)
            if write_samples is not None:
                write_samples(score_counts(counts, _without_aggregator(options)))
        _print_report(scores, report_format)


def _check_options(keywords: Mapping[str, object], families: Sequence[Family]) -> Options:
    """The options; a warning about them goes to standard error.

    Raises:
        _UsageError: an option is no option of these families, or its value is bad.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            given = {name: value for name, value in keywords.items() if value is not None}
            options = Options.from_keywords(given, families)
        except (TypeError, ValueError) as error:
            raise _UsageError(str(error)) from error
    for warning in caught:
        _print_error(f"warning: {warning.message}")
    return options


def _check_seed(seed: int | None) -> None:
    """Raises _UsageError unless the seed is one of NumPy."""
    if seed is not None and not 0 <= seed <= _LARGEST_SEED:
        raise _UsageError(f"seed is {seed}; expected an int from 0 to {_LARGEST_SEED}.")


def _check_format(options: Options, report_format: ReportFormat) -> None:
    """Raises _UsageError where a list of one value per sample would have to stand in a table."""
    for flag, makes_lists in (
        ("--sentence-bleu", options.sentence_bleu),
        ("--no-aggregator", not options.use_aggregator),
    ):
        if makes_lists and report_format is not ReportFormat.JSON:
            raise _UsageError(
                f"{flag} gives one value per sample, which --format {report_format.value} does not "
                "hold; use --format json, or --per-sample FILE in place of the flag."
            )


def _without_aggregator(options: Options) -> Options:
    """The same options, for one score per sample."""
    with warnings.catch_warnings():
        # They have warned before.
        warnings.simplefilter("ignore")
        return replace(options, use_aggregator=False, sentence_bleu=True)


class _UsageError(Exception):
    """Options that do not go together, or a bad value of one."""


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Ends the command with one line on standard error where a file or an option is wrong."""
    try:
        yield
    except (FileError, _UsageError) as error:
        _print_error(str(error))
        raise typer.Exit(_FAILED) from error
    except BrokenPipeError as error:
        # The reader has what it wanted.
        _discard_output()
        raise typer.Exit(_PIPE_CLOSED) from error
    except KeyboardInterrupt as error:
        raise typer.Exit(_INTERRUPTED) from error


def _print_error(message: str) -> None:
    typer.echo(f"{_NAME}: {message}", err=True)


def _print_report(scores: Mapping[str, Value], report_format: ReportFormat) -> None:
    """Writes to standard output; FileError where that fails, but for a closed pipe."""
    try:
        typer.echo(report(scores, report_format), nl=False, color=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        _discard_output()
        raise FileError("<stdout>", f"cannot be written: {describe(error)}.") from error


def _discard_output() -> None:
    """Lets what is still in the buffer of standard output go nowhere, or Python would try again."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    app(prog_name=_NAME)
