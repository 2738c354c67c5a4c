"""The command ``bleu-rouge``: BLEU and ROUGE of files.

A wrong file or option is one line on standard error, ``bleu-rouge: FILE:LINE: message``, and exit
status 2.
Neither ``evaluate`` nor ``datasets`` is imported: they would take most of the command's time.
"""

from functools import partial
from typing import Annotated

import typer

from . import (
    candidate_flags,
    comparison_flags,
    duplicate_flags,
    explanations,
    flags,
    option_flags,
)
from .candidates import run_pick
from .checks import (
    print_version,
)
from .compare import run_compare
from .comparison_flags import CompareCommand
from .comparisons import run_compare_profiles
from .duplicates import run_dedup
from .explanations import run_explain
from .file_flags import FORMAT_FLAGS, add_file_flags, find_file_flags
from .foreign_flags import KnowingCommand
from .messages import (
    NAME,
)
from .plain_help import PlainGroup
from .score import run_score

app = typer.Typer(
    name=NAME,
    cls=PlainGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(*, wanted: bool) -> None:
    """Print the version and end the command."""
    if wanted:
        print_version()
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
    """BLEU and ROUGE of generated texts, bit-identical to the reference libraries."""


@app.command(cls=KnowingCommand, help=flags.HELP, epilog=flags.EPILOG, no_args_is_help=True)
@option_flags.add_option_flags(last=("seed",))
@add_file_flags
def score(
    context: typer.Context,
    predictions: flags.Predictions,
    references: flags.References = None,
    *,
    report_format: flags.Format = "table",
    per_sample: flags.PerSample = None,
    group_by: flags.GroupBy = None,
    percent: flags.Percent = False,
    engine: flags.Engine = None,
    family: flags.FamilyOption = None,
    seed: flags.Seed = None,
    harness_filter: comparison_flags.Filter = None,
    **_: object,  # flags of files and options, in context.params
) -> None:
    """Score files; the help is ``flags.HELP``."""
    run_score(**context.params)


@app.command(
    cls=CompareCommand,
    name="compare",
    help=comparison_flags.HELP,
    epilog=comparison_flags.EXAMPLES,
    no_args_is_help=True,
)
@option_flags.add_option_flags(only=comparison_flags.COMPARED_OPTIONS)
@add_file_flags
def compare_systems(
    context: typer.Context,
    systems: comparison_flags.Systems,
    references: comparison_flags.References = None,
    columns: comparison_flags.SystemColumns = None,
    *,
    harness_filter: comparison_flags.Filter = None,
    scores: comparison_flags.OutsideScores = None,
    lower_is_better: comparison_flags.LowerIsBetter = None,
    baseline: comparison_flags.Baseline = None,
    pairs: comparison_flags.Pairs = None,
    runs: comparison_flags.Runs = None,
    test: comparison_flags.Test = None,
    resamples: comparison_flags.Resamples = None,
    confidence: comparison_flags.Confidence = "0.95",
    seed: comparison_flags.Seed = "12345",
    alternative: comparison_flags.Side = "two-sided",
    correction: comparison_flags.CorrectionName = None,
    clusters: comparison_flags.Clusters = None,
    convention: comparison_flags.Convention = None,
    report_format: flags.Format = "table",
    group_by: comparison_flags.GroupBy = None,
    per_sample: flags.PerSample = None,
    percent: flags.Percent = False,
    signature: comparison_flags.Signature = False,
    family: flags.FamilyOption = None,
    **_: object,
) -> None:
    """Compare systems; the help is ``comparison_flags.HELP``."""
    run_compare(**context.params)


@app.command(cls=KnowingCommand, name="compare-profiles", no_args_is_help=True)
@option_flags.add_option_flags(
    only=("language", "tokenizer", "rouge_types", "use_stemmer", "sentence_splitter")
)
@add_file_flags
def compare(
    context: typer.Context,
    predictions: flags.Predictions,
    references: flags.References = None,
    *,
    report_format: flags.Format = "table",
    profile: flags.Profiles = None,
    **_: object,
) -> None:
    """Score files under several profiles, and explain the differences."""
    run_compare_profiles(**context.params)


@app.command(
    cls=KnowingCommand,
    name="explain",
    help=explanations.HELP,
    epilog=explanations.EXAMPLES,
    no_args_is_help=True,
)
@option_flags.add_option_flags(only=explanations.EXPLAINED_OPTIONS)
@add_file_flags
def explain_pair(
    context: typer.Context,
    prediction: explanations.Prediction,
    references: explanations.References = None,
    row: explanations.Row = None,
    *,
    report_format: explanations.Format = "text",
    family: flags.FamilyOption = None,
    **_: object,
) -> None:
    """Explain the scores of one pair; the help is ``explanations.HELP``."""
    run_explain(file_flags=find_file_flags(context), **context.params)


@app.command(
    cls=KnowingCommand,
    name="dedup",
    help=duplicate_flags.HELP,
    epilog=duplicate_flags.EXAMPLES,
    no_args_is_help=True,
)
@option_flags.add_option_flags(only=duplicate_flags.PAIR_OPTIONS)
@partial(add_file_flags, only=FORMAT_FLAGS)
def remove_duplicates(
    context: typer.Context,
    path: duplicate_flags.File,
    *,
    column: duplicate_flags.Column = None,
    against: duplicate_flags.Against = None,
    score: duplicate_flags.Score = "rougeL",
    threshold: duplicate_flags.Threshold = "0.7",
    inclusive: duplicate_flags.Inclusive = False,
    group_by: duplicate_flags.GroupBy = None,
    output: duplicate_flags.Output = None,
    rejected: duplicate_flags.Rejected = None,
    **_: object,
) -> None:
    """Remove near duplicates; the help is ``duplicate_flags.HELP``."""
    run_dedup(**context.params)


@app.command(
    cls=KnowingCommand,
    name="pick",
    help=candidate_flags.HELP,
    epilog=candidate_flags.EXAMPLES,
    no_args_is_help=True,
)
@option_flags.add_option_flags(only=candidate_flags.PICK_OPTIONS)
@partial(add_file_flags, only=FORMAT_FLAGS)
def pick_candidates(
    context: typer.Context,
    path: candidate_flags.File,
    *,
    column: candidate_flags.Column = None,
    reference_column: candidate_flags.ReferenceColumn = None,
    method: candidate_flags.MethodName = None,
    score: candidate_flags.Score = "bleu",
    report_format: candidate_flags.Format = "jsonl",
    output: candidate_flags.Output = None,
    **_: object,
) -> None:
    """Pick candidates; the help is ``candidate_flags.HELP``."""
    run_pick(**context.params)


def main() -> None:
    """Run the command; the entry point of ``bleu-rouge``."""
    app(prog_name=NAME)
