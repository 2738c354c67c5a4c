"""The command ``bleu-rouge``: BLEU and ROUGE of files.

A wrong file or option is one line on standard error, ``bleu-rouge: FILE:LINE: message``, and exit
status 2.
Neither ``evaluate`` nor ``datasets`` is imported: they would take most of the command's time.
"""

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ..analysis.profiles import compare_samples, plan_comparison
from ..counting.kernels import current_kernel, find_build_problem
from ..counting.threads import count_threads
from ..files.encodings import UTF8, check_delimiter, check_encoding
from ..files.lines import FileError, FileFormat, describe
from ..files.samples import read_samples
from ..options.checks import LARGEST_SEED
from ..options.options import Options
from ..options.profiles import PROFILES, check_family
from ..scoring.resampling_options import warn_of_seed
from ..scoring.results import scale, score_counts
from ..scoring.scorer import Scorer
from ..version import __version__
from . import flags, option_flags
from .comparisons import report_comparison
from .counting import Work, plan_files
from .flag_words import speak_of_flags
from .foreign_flags import KnowingCommand
from .plain_help import PlainGroup
from .progress import show_progress
from .reports import ReportFormat, report
from .sample_files import check_sample_path, write_samples

_NAME: Final = "bleu-rouge"
_FAILED: Final = 2
# What a shell reports for a command that SIGINT or SIGPIPE ended.
_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141


app = typer.Typer(
    name=_NAME,
    cls=PlainGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(*, wanted: bool) -> None:
    """Prints the version and ends the command."""
    if wanted:
        with _one_line_errors(), _usage_errors():
            _check_environment()
        typer.echo(f"{_NAME} {__version__} ({current_kernel()} kernel)")
        if problem := find_build_problem():
            typer.echo(problem)
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


@app.command(cls=KnowingCommand, help=flags.HELP, epilog=flags.EPILOG, no_args_is_help=True)
@option_flags.add_option_flags(last=("seed",))
def score(
    context: typer.Context,
    predictions: flags.Predictions,
    references: flags.References = None,
    *,
    prediction_column: flags.PredictionColumn = None,
    reference_column: flags.ReferenceColumn = None,
    stdin_format: flags.StdinFormat = FileFormat.TEXT,
    encoding: flags.Encoding = UTF8,
    delimiter: flags.Delimiter = None,
    report_format: flags.Format = ReportFormat.TABLE,
    per_sample: flags.PerSample = None,
    percent: flags.Percent = False,
    engine: flags.Engine = None,
    family: flags.FamilyOption = None,
    seed: option_flags.Seed = None,
    **_: object,  # flags of the options, in context.params
) -> None:
    """Score files; the help is ``flags.HELP``."""
    with _one_line_errors(), _one_line_warnings():
        families = check_family(None if family is None else family.value)
        with _usage_errors():
            _check_environment()
            options = Options.from_keywords(option_flags.to_keywords(context.params), families)
            seed_of_stream = None if seed is None else _check_seed(seed)
            text_options = _check_text_options(encoding, delimiter)
        _check_format(options, report_format)
        if per_sample is not None:
            check_sample_path(per_sample, [predictions, *(references or [])])
        work = _choose_plan(engine, predictions)(
            predictions,
            references or [],
            prediction_column=prediction_column,
            reference_column=reference_column,
            stdin_format=stdin_format,
            **text_options,
        )
        # Parity: the scores of sacrebleu are percentages already.
        factor = 100 if percent and options.profile != "sacrebleu" else 1
        if per_sample is not None:
            check_sample_path(per_sample, work.paths)
        with show_progress(work.total, work.unit) as advance:
            scorer = Scorer.from_options(options, families, seed_of_stream)
            work.run(scorer, advance)
            scores = scorer.result()
            if seed_of_stream is not None:
                warn_of_seed(options, families, seed_of_stream)
            if per_sample is not None:
                plan = _without_aggregator(options).plan(families)
                samples = score_counts(scorer.counts(), plan.scoring)
                write_samples(per_sample, scale(samples, factor))
        _print(lambda: report(scale(scores, factor), report_format))


@app.command(cls=KnowingCommand, name="compare-profiles", no_args_is_help=True)
@option_flags.add_option_flags(
    only=("tokenizer", "rouge_types", "use_stemmer", "sentence_splitter")
)
def compare(
    context: typer.Context,
    predictions: flags.Predictions,
    references: flags.References = None,
    *,
    prediction_column: flags.PredictionColumn = None,
    reference_column: flags.ReferenceColumn = None,
    stdin_format: flags.StdinFormat = FileFormat.TEXT,
    encoding: flags.Encoding = UTF8,
    delimiter: flags.Delimiter = None,
    report_format: flags.Format = ReportFormat.TABLE,
    profile: option_flags.Profiles = None,
    **_: object,
) -> None:
    """Scores of the same files under every profile, and which option makes which difference."""
    with _one_line_errors(), _one_line_warnings():
        parameters = {name: value for name, value in context.params.items() if name != "profile"}
        with _usage_errors():
            _check_environment()
            keywords = {
                **option_flags.to_keywords(parameters),
                "profiles": profile or tuple(PROFILES),
            }
            plans = plan_comparison(**keywords)
            text_options = _check_text_options(encoding, delimiter)
        samples = read_samples(
            predictions,
            references or [],
            prediction_column=prediction_column,
            reference_column=reference_column,
            stdin_format=stdin_format,
            **text_options,
        )
        comparison = compare_samples(samples, plans)
        _print(lambda: report_comparison(comparison, report_format))


def _check_text_options(encoding: str, delimiter: str | None) -> dict[str, Any]:
    """The arguments of ``read_samples`` for text files; raises ValueError for bad ones."""
    return {
        "encoding": check_encoding(encoding),
        "delimiter": None if delimiter is None else check_delimiter(delimiter),
    }


def _choose_plan(engine: flags.EngineChoice | None, predictions: str) -> Callable[..., Work]:
    """What plans the counting: of files or of a folder in this process, or on an engine."""
    if engine is None and not Path(predictions).is_dir():
        return plan_files
    # pyarrow takes a quarter of a second to import.
    from .folders import plan_folder

    if engine is None:
        return plan_folder
    # Ray takes seconds to import: only those who ask for it pay for it.
    from .ray_engine import count_with_ray

    return partial(plan_folder, count=count_with_ray)


def _check_environment() -> None:
    """Raise if a variable of the environment asks for a kernel or threads that cannot be had."""
    current_kernel()
    count_threads()


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Where options are checked: a bad one, or what it needs and is not there, is an error of use.

    Elsewhere such an error is one of the program, with its traceback.
    """
    try:
        yield
    except (TypeError, ValueError, ImportError, LookupError) as error:
        raise _UsageError(speak_of_flags(" ".join(str(error).split("\n")))) from error
    except OSError as error:
        raise _UsageError(f"{error.filename}: {describe(error)}.") from error


@contextmanager
def _one_line_warnings() -> Iterator[None]:
    """Lets each warning be one line on standard error, once."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            _print_error(f"warning: {speak_of_flags(str(message))}")

    with warnings.catch_warnings():
        # Those of this package; what libraries deprecate is nothing to the user.
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield


def _check_seed(text: str) -> int:
    """The seed; raises ValueError unless it is one of NumPy."""
    seed = option_flags.to_int("seed", text)
    if not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed is {seed}; expected an int from 0 to {LARGEST_SEED}.")
    return seed


def _check_format(options: Options, report_format: ReportFormat) -> None:
    """Raises _UsageError if a table would have to show a list of one value per sample."""
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
    return options.replace(
        use_aggregator=False, confidence=None, sentence_bleu=True, signature=False
    )


class _UsageError(Exception):
    """Options that do not go together, or a bad value of one."""


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Ends the command with one line on standard error if a file or an option is wrong.

    It does the same if a library is missing, which some tokenizers import with their first text.
    """
    try:
        yield
    except (FileError, _UsageError, ImportError) as error:
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


def _print(make_report: Callable[[], str]) -> None:
    """Writes to standard output; raises FileError if that fails, except for a closed pipe."""
    try:
        # A table asks the terminal for its colours while it is made.
        typer.echo(make_report(), nl=False, color=True)
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
