"""Flags of other commands: each is one line that says what to give instead."""

import re

import pytest

from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.cli.messages import list_foreign_flags
from bleu_rouge_metric.options.foreign import list_foreign
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import error, invoke

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("predictions.txt", "references.txt")
REMEDIES = {
    "--smooth-method exp": "it is called --smooth here",
    "--smooth_method=exp": "it is called --smooth here",
    "-s exp": "it is called --smooth here",
    "-sv 0.1": "it is called --smooth-value here",
    "--tokenize 13a": "it is called --bleu-tokenizer here",
    "-tok 13a": "it is called --bleu-tokenizer here",
    "-tok=13a": "it is called --bleu-tokenizer here",
    "-lc": "it is called --lowercase here",
    "--max-ngram-order 2": "it is called --max-order here",
    "--n-gram 2": "it is called --max-order here",
    "--use_effective_order": "it is called --effective-order here",
    "--sentence-level": "use --sentence-bleu for one BLEU per sample",
    "--rouge-keys rouge1": "it is called --rouge-type here",
    "--rouge-n 2": "use --rouge-type rouge1 --rouge-type rouge2",
    "--split_summaries": "use --sentence-splitter punkt for split_summaries=True",
    "--target_filepattern x": "give them after the first argument, without a flag",
    "--hypotheses x": "give it as the first argument, without a flag",
    "-i predictions.txt": "give it as the first argument, without a flag",
    "--force": "leave it out; it is not needed",
    "-nr 2": "leave it out; references are counted automatically",
    "--metrics bleu": "use --family bleu or --family rouge",
    "-w 2": "it is called --width here",
    "-p 0.5": "give it as the first argument, without a flag",
    "--lang de": "it is called --language here",
    "-l 100": "use --language, the language of the references, such as --language zh",
}


@pytest.mark.parametrize(("given", "remedy"), REMEDIES.items())
def test_a_flag_of_another_command_is_one_line_that_names_ours(given: str, remedy: str) -> None:
    flag = re.split("[ =]", given)[0]
    assert error(*FILES, *given.split()) == f"bleu-rouge: Unknown flag {flag}; {remedy}."


@pytest.mark.parametrize("flag", list_foreign_flags())
def test_every_foreign_flag_is_an_error_of_one_line(flag: str) -> None:
    assert error(*FILES, flag).startswith(f"bleu-rouge: Unknown flag {flag}; ")


def test_no_foreign_flag_is_ours_and_every_remedy_names_flags_that_are() -> None:
    command = make_command("score")
    ours = {name for parameter in command.params for name in parameter.opts}
    assert ours.isdisjoint(list_foreign_flags())
    named = {
        flag for remedy in list_foreign_flags().values() for flag in re.findall("--[a-z-]+", remedy)
    }
    assert named <= ours
    assert {"--smooth", "--rouge-type", "--family"} <= named


def test_every_foreign_name_of_an_option_with_a_flag_is_a_foreign_flag() -> None:
    without = {
        name
        for option in OPTIONS.values()
        for foreign in option.foreign
        if not option.flags or foreign.command is None
        for name in foreign.names
    }
    assert without == {
        *("label_pad_token_id", "pad_token_id", "eos_token_id", "sep_token_id", "normalizer")
    }
    names = {f"--{name.replace('_', '-')}" for name, _ in list_foreign() if name not in without}
    assert names <= list_foreign_flags().keys()


@pytest.mark.parametrize("flag", ["--no-such-flag", "--pad-token-id", "--normalizer", "-y"])
def test_any_other_unknown_flag_is_an_error_of_use(flag: str) -> None:
    result = invoke("score", *FILES, flag)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"bleu-rouge: No such option '{flag}'")
    assert result.stderr.endswith("; see bleu-rouge score --help.\n")
    assert result.stderr.count("\n") == 1


def test_a_command_names_no_flag_that_it_lacks() -> None:
    result = invoke("compare-profiles", *FILES, "--rouge-keys", "rouge1")
    assert result.exit_code == 2
    assert (
        result.stderr == "bleu-rouge: Unknown flag --rouge-keys; it is called --rouge-type here.\n"
    )
    for flag in ("--smooth-method", "-tok"):
        result = invoke("compare-profiles", *FILES, flag, "exp")
        assert result.exit_code == 2
        assert "No such option" in result.stderr


def test_what_stands_behind_two_hyphens_is_no_flag() -> None:
    assert error("--", "-tok", "references.txt").startswith("bleu-rouge: -tok: ")
