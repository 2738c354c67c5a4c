"""What is wrong with files or flags of ``bleu-rouge compare`` is one line."""

import json
from pathlib import Path

import pytest

from bleu_rouge_metric.cli.command import make_command
from bleu_rouge_metric.options.table import OPTIONS

from ..support.commands import list_options
from ..support.known_names import ROUGE_PROFILE_NAMES
from ..support.sample_writers import write_lines
from ..support.system_files import COLUMNS, FILES, NEW, compare_error, write_files

pytestmark = pytest.mark.usefixtures("own_folder")

SCORES = "outside.json"


@pytest.fixture(autouse=True)
def _files(own_folder: None) -> None:  # noqa: ARG001
    write_files()
    write_lines("short.txt", NEW[:5])
    write_lines("one.txt", NEW[:1])
    write_lines("same.txt", ["news"] * 8)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["old.txt", *FILES[2:]],
            "old.txt: there is only one system; give two or more files before --references, or one "
            "with columns and their names with --systems.",
        ),
        (
            ["systems.jsonl"],
            "systems.jsonl: there is only one system; give two or more files before --references, "
            "or one with columns and their names with --systems.",
        ),
        (
            ["old.txt", "new.txt"],
            "old.txt: the references are missing; give a file of references with --references.",
        ),
        (
            ["old.txt", "old.txt", *FILES[2:]],
            "old.txt: the file is given twice; expected each system once.",
        ),
        (
            ["old.txt", "short.txt", *FILES[2:]],
            "short.txt:5: the file ends after sample 5, but old.txt has 8 samples.",
        ),
        (
            ["short.txt", "one.txt", *FILES[2:]],
            "one.txt:1: the file ends after sample 1, but short.txt has 5 samples.",
        ),
        (
            ["old.txt", "new.txt", "--references", "short.txt"],
            "short.txt:5: the file ends after sample 5, but old.txt has 8 samples.",
        ),
        (
            ["one.txt", "./one.txt", "--references", "one.txt"],
            "There is 1 sample; expected at least 2 to resample.",
        ),
        (
            ["old.txt", "absent.txt", *FILES[2:]],
            "absent.txt: No such file or directory.",
        ),
        (
            [*FILES, "--systems", "old,new"],
            "--systems names columns of one file, but 2 files are given; give one, or leave "
            "--systems out.",
        ),
        (
            ["systems.jsonl", "--systems", "old"],
            "--systems is 'old'; expected two or more names of columns, such as old,new.",
        ),
        (
            ["systems.jsonl", "--systems", "old,"],
            "--systems is 'old,'; expected two or more names of columns, such as old,new.",
        ),
        (
            ["systems.jsonl", "--systems", "old,old", *COLUMNS[3:]],
            "systems.jsonl: --systems has 'old' twice; expected each system once.",
        ),
        (
            ["systems.jsonl", "--systems", "old,gold", *COLUMNS[3:]],
            "systems.jsonl: the column 'gold' holds both the predictions and the references; name "
            "others with --systems and --reference-column.",
        ),
        (
            ["systems.jsonl", "--systems", "old,newer", *COLUMNS[3:]],
            "systems.jsonl:1: no column is named 'newer'; name one with --systems. Columns: "
            "'old', 'new', 'gold', 'topic', 'id'.",
        ),
        (
            ["systems.jsonl", "--systems", "old,new"],
            "systems.jsonl:1: no column is named 'reference' or 'references'; name one with "
            "--reference-column. Columns: 'old', 'new', 'gold', 'topic', 'id'.",
        ),
        (
            ["systems.jsonl", "--systems", "old,id", *COLUMNS[3:]],
            "systems.jsonl:1: 'id' is 0; expected a text.",
        ),
        (
            ["old.txt", "--systems", "old,new", *FILES[2:]],
            "old.txt: plain text has no columns; leave out --systems 'old'.",
        ),
        (
            [*FILES, "--prediction-column", "text"],
            "old.txt: plain text has no columns; leave out --prediction-column 'text'.",
        ),
        (
            [*FILES, "--reference-column", "text"],
            "references.txt: plain text has no columns; leave out --reference-column 'text'.",
        ),
        (
            [*COLUMNS, "--prediction-column", "old"],
            "--systems and --prediction-column exclude each other; give one of them.",
        ),
        (
            [*FILES, "--baseline", "old", "--pairs", "all"],
            "--baseline is 'old', but --pairs tests each system against each other one, "
            "two-sided; leave one of the two out.",
        ),
        (
            [*FILES, "--correction", "none", "--pairs", "all"],
            "--correction is 'none', but --pairs corrects p for the number of pairs; leave one of "
            "the two out.",
        ),
        (
            [*FILES, "--lower-is-better", "bleu"],
            "--lower-is-better is given, but --scores is not; give the scores of other metrics, or "
            "leave it out.",
        ),
        (
            [*FILES, "--runs", "2"],
            "--runs is 2, but there are 2 files or columns; expected 2 or more runs of each of two "
            "or more systems.",
        ),
        (
            ["old.txt", "new.txt", "topics.txt", "same.txt", *FILES[2:], "--runs", "2"],
            "--runs is 2, so that 'old', 'new' would be runs of one system, but their names do not "
            "begin alike; give the files of each system next to each other.",
        ),
        ([*FILES, "--baseline", "A"], "--baseline is 'A'; expected one of 'old', 'new'."),
        (
            [*FILES, "--test", "ar"],
            "Unknown --test 'ar'; expected one of 'approximate_randomization', 'bootstrap', "
            "'bootstrap_t'. Did you mean 'approximate_randomization'?",
        ),
        (
            [*FILES, "--resamples", "0"],
            "--resamples is 0; expected an int from 1 to 1,000,000.",
        ),
        ([*FILES, "--resamples", "many"], "--resamples is 'many'; expected an int."),
        ([*FILES, "--seed", "-1"], "--seed is -1; expected an int from 0 to 4294967295."),
        (
            [*FILES, "--confidence", "95"],
            "--confidence is 95; expected a float above 0 and below 1, such as 0.95.",
        ),
        ([*FILES, "--confidence", "high"], "--confidence is 'high'; expected a number."),
        (
            [*FILES, "--correction", "bh"],
            "Unknown --correction 'bh'; expected one of 'holm', 'bonferroni', 'fdr_bh'. Did you "
            "mean 'fdr_bh'?",
        ),
        (
            [*FILES, "--convention", "sacrebleu", "--alternative", "greater"],
            "--alternative is 'greater', but sacrebleu supports only 'two-sided'; leave it out, or "
            "leave the convention out.",
        ),
        (
            [*FILES, "--convention", "sacrebleu", "--clusters", "topics.txt"],
            "--clusters is given, but sacrebleu has none; leave it out, or leave the convention "
            "out.",
        ),
        (
            [*FILES, "--convention", "sacrebleu", "--profile", "hf"],
            "--convention 'sacrebleu' is for the profile 'sacrebleu', but the profile is 'hf'; "
            "leave one of the two out.",
        ),
        (
            [*FILES, "--clusters", "same.txt"],
            "--clusters has the one label 'news'; expected at least 2 to resample.",
        ),
        (
            [*FILES, "--clusters", "short.txt"],
            "short.txt:5: the file ends after sample 5, but old.txt has 8 samples.",
        ),
        (
            [*FILES, "--clusters", "absent.txt"],
            "absent.txt: No such file or directory.",
        ),
        (
            [*COLUMNS, "--clusters", "theme"],
            "systems.jsonl:1: no column is named 'theme'; name one with --clusters. Columns: "
            "'old', 'new', 'gold', 'topic', 'id'.",
        ),
        (
            [*FILES, "--profile", "nltk", "--family", "rouge"],
            "--profile 'nltk' has no ROUGE, but only ROUGE was requested; expected one of "
            f"{ROUGE_PROFILE_NAMES}.",
        ),
        ([*FILES, "--max-order", "0"], "--max-order is 0; expected an int from 1 to 100."),
        (
            [*FILES, "--per-sample", "old.txt"],
            "old.txt: the suffix names no known format; expected .csv, .tsv, .jsonl or .parquet "
            "(.csv.gz, .tsv.gz and .jsonl.gz are compressed).",
        ),
        (
            [*COLUMNS, "--per-sample", "systems.jsonl"],
            "systems.jsonl: the file is one of those to score; it would be overwritten.",
        ),
    ],
)
def test_what_does_not_fit_is_one_line(arguments: list[str], message: str) -> None:
    assert compare_error(*arguments) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "{",
            f"{SCORES}:1: not valid JSON: Expecting property name enclosed in double quotes "
            "(column 2).",
        ),
        ("[" * 100_000, f"{SCORES}: not readable JSON: "),
        (
            "[1]",
            f'{SCORES}: scores is of type list; expected {{"name": {{"system": [one number for '
            "each sample]}}.",
        ),
        (
            json.dumps({"comet": {"old": [1] * 8, "B": [1] * 8}}),
            f"{SCORES}: scores['comet'] has the systems 'old', 'B'; expected 'old', 'new'.",
        ),
        (
            json.dumps({"comet": {"old": [1] * 8, "new": [1] * 7}}),
            f"{SCORES}: scores['comet']['new'] has 7 numbers, but there are 8 samples; expected "
            "one number for each.",
        ),
        (
            json.dumps({"comet": {"old": [1] * 8, "new": [1] * 7 + [None]}}),
            f"{SCORES}: scores['comet']['new'][7] is None; expected a number.",
        ),
        (
            '{"comet": {"old": [1,1,1,1,1,1,1,NaN], "new": [1,1,1,1,1,1,1,1]}}',
            f"{SCORES}: scores['comet']['old'][7] is nan; expected a finite number.",
        ),
    ],
)
def test_outside_scores_that_do_not_fit_are_one_line(content: str, message: str) -> None:
    Path(SCORES).write_text(content, "utf-8")
    assert compare_error(*FILES, "--scores", SCORES).startswith(message)


@pytest.mark.parametrize("value", [None, 1.5, True, ["news"]])
def test_a_label_is_a_text_or_an_int(value: object) -> None:
    rows = [json.loads(line) for line in Path("systems.jsonl").read_text("utf-8").splitlines()]
    rows[2]["topic"] = value
    Path("systems.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    line = compare_error(*COLUMNS, "--group-by", "topic")
    assert line.startswith("systems.jsonl:3: 'topic' is ")
    assert "; expected a text or an int." in line


def test_two_columns_of_one_name_are_an_error() -> None:
    Path("a.txt").write_bytes(Path("old.txt").read_bytes())
    Path("a_x.txt").write_bytes(Path("new.txt").read_bytes())
    numbers = {"a": [1] * 8, "a_x": [1] * 8}
    Path(SCORES).write_text(json.dumps({"x_y": numbers, "y": numbers}), "utf-8")
    flags = ["--scores", SCORES, "--per-sample", "each.csv", "--family", "bleu"]
    assert compare_error("a.txt", "a_x.txt", *FILES[2:], *flags) == (
        "--per-sample: two columns would be called 'a_x_y'; give the systems other names."
    )
    assert not Path("each.csv").exists()


def test_every_option_of_scores_is_one_of_a_comparison() -> None:
    # The comparison has flags of its own for the others, or gives one number for each score.
    left_out = {"n_resamples", "confidence", "sentence_bleu", "use_aggregator", "detailed"}
    assert list_options("compare") == OPTIONS.keys() - left_out - {"signature"}
    found = {p.name for p in make_command("compare").params}
    others = {p.name for p in make_command("score").params} - found
    assert others == {
        "width",
        "score_only",
        "predictions",
        "sentence_bleu",
        "use_aggregator",
        "detailed",
        "engine",
    }
