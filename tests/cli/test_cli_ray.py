"""``bleu-rouge score --engine ray``: the same numbers, messages and files as without Ray."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.cli import ray_engine
from bleu_rouge_metric.cli.folders import Shards
from bleu_rouge_metric.cli.shard_counts import pack_table
from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.shards import Shard
from bleu_rouge_metric.text.warnings import SentenceLines

from ..conftest import require
from ..support.commands import error, invoke, score, score_json
from ..support.engine_cases import UNDER_ENGINES
from ..support.ray_runs import (  # noqa: F401 - two are fixtures
    RAY,
    ROWS,
    plan_data,
    start_ray,
    write_data,
    write_lines,
)

pytestmark = [*UNDER_ENGINES, pytest.mark.usefixtures("own_folder")]

ONE = ("all.jsonl", "all.jsonl")


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--confidence", "0.9", "--n-resamples", "50", "--seed", "3"),
        ("--profile", "sacrebleu", "--signature"),
        ("--family", "rouge", "--rouge-type", "rougeW", "--detailed"),
        ("--no-aggregator", "--sentence-bleu"),
    ],
)
@pytest.mark.usefixtures("ray", "data")
def test_the_scores_are_those_of_one_process(flags: tuple[str, ...]) -> None:
    assert score_json(*RAY, *flags) == score_json(*ONE, *flags)


@pytest.mark.usefixtures("ray", "data")
def test_groups_are_those_of_one_process() -> None:
    rows = [{**row, "topic": index**2 % 7} for index, row in enumerate(ROWS)]
    parquet.write_table(pa.Table.from_pylist(rows[:250]), "data/a.parquet", row_group_size=60)
    write_lines("data/b.jsonl", rows[250:])
    write_lines("all.jsonl", rows)
    found = score_json(*RAY, "--group-by", "topic")
    assert found == score_json(*ONE, "--group-by", "topic")
    assert list(found["groups"]) == ["0", "1", "4", "2"]


@pytest.mark.usefixtures("ray", "data")
def test_the_scores_of_every_sample_are_in_the_order_of_the_files() -> None:
    score(*RAY, "--per-sample", "ray.csv")
    score(*ONE, "--per-sample", "one.csv")
    assert Path("ray.csv").read_bytes() == Path("one.csv").read_bytes()
    assert len(Path("ray.csv").read_text().splitlines()) == 1 + len(ROWS)


@pytest.mark.usefixtures("ray", "data")
def test_an_error_in_a_worker_is_one_line() -> None:
    rows = [*ROWS[:300], {"prediction": None, "reference": "a"}, *ROWS[300:]]
    write_lines("data/b.jsonl", rows)
    assert error(*RAY) == error("data/b.jsonl", "data/b.jsonl")
    assert error(*RAY).startswith("bleu-rouge: data/b.jsonl:301: 'prediction' is null; expected")


@pytest.mark.usefixtures("ray", "data")
def test_texts_that_lose_all_tokens_are_one_warning() -> None:
    write_lines("data/c.jsonl", [{"prediction": "кошка", "reference": "кот"}] * 400)
    result = invoke("score", *RAY, "--family", "rouge")
    assert result.exit_code == 0
    assert result.stderr == (
        "bleu-rouge: warning: The 'rouge' tokenizer leaves nothing of the prediction or of a "
        "reference in 400 of 1,000 samples (40%), so that nothing there can match; use "
        "--rouge-tokenizer unicode, which finds the words of every language, or 'char' to count "
        "characters that are not letters or digits.\n"
    )


@pytest.mark.usefixtures("ray", "data")
def test_sentences_on_one_line_are_one_warning() -> None:
    rows = [{"prediction": "It rained. It stopped.", "reference": "One. Two."}] * 600
    write_lines("data/b.jsonl", rows)
    Path("data/a.parquet").unlink()
    rouge = ("--family", "rouge")
    line = invoke("score", *RAY, *rouge).stderr
    assert line == invoke("score", "data/b.jsonl", "data/b.jsonl", *rouge).stderr
    assert line.startswith(
        "bleu-rouge: warning: rougeLsum: one sentence per line is expected, but no text has a"
    )
    # One newline anywhere means that lines are sentences.
    rows[-1] = {"prediction": "It rained.\nIt stopped.", "reference": "One. Two."}
    write_lines("data/b.jsonl", rows)
    assert invoke("score", *RAY, *rouge).stderr == ""


@pytest.mark.usefixtures("ray", "data")
def test_progress_is_told_in_samples_where_their_number_is_known() -> None:
    done: list[int] = []
    work = plan_data()
    assert (work.total, work.unit) == (7, "shards")
    work.run(Scorer(), done.append)
    assert sum(done) == 7
    Path("data/b.jsonl").unlink()
    done.clear()
    work = plan_data()
    assert (work.total, work.unit) == (250, "samples")
    scorer = Scorer()
    work.run(scorer, done.append)
    assert (sum(done), len(scorer)) == (250, 250)


class Fails:
    """A tokenizer that raises an error."""

    def __call__(self, text: str) -> list[str]:
        raise RuntimeError(f"no\nmodel for {text[:0]!r}")


@pytest.mark.usefixtures("ray", "data")
def test_an_error_of_another_kind_is_one_line_too() -> None:
    with pytest.raises(FileError, match=r"^data/[ab]\.\w+: RuntimeError: no model for ''$"):
        plan_data().run(Scorer("rouge", tokenizer=Fails()), lambda _: None)


def message(shard: int, part: int, **fields: Any) -> dict[str, Any]:
    return {"shard": shard, "part": part, "rows": None, "counts": None, "error": None, **fields}


def counts(rows: int) -> dict[str, Any]:
    table = pa.table({"number": range(rows)})
    return {"rows": rows, "counts": pack_table(table)}


SHARDS = [Shard(number, f"{number}.jsonl", "p", "r", 0, None) for number in range(2)]
SENT = [
    message(0, 0, **counts(3)),
    message(0, 1, **counts(1)),
    message(1, 0, **counts(2)),
    message(1, -1, rows=2, lines=[32, 20, 1]),
    message(0, -1, rows=4, lines=[32, 30, 0]),
]


def check(messages: list[dict[str, Any]]) -> list[int]:
    tables = ray_engine._check_messages(
        iter(messages), Shards(SHARDS, [], 2, "shards"), SentenceLines(), lambda _: None
    )
    return [len(table) for table in tables]


def test_what_comes_twice_is_left_out() -> None:
    assert check(SENT) == [3, 1, 2]
    assert check([SENT[0], *SENT, SENT[2], SENT[3]]) == [3, 1, 2]


@pytest.mark.parametrize("missing", range(len(SENT)))
def test_what_does_not_come_is_an_error(missing: int) -> None:
    messages = [sent for index, sent in enumerate(SENT) if index != missing]
    path = SHARDS[SENT[missing]["shard"]].path
    with pytest.raises(FileError) as caught:
        check(messages)
    assert str(caught.value) == (
        f"{path}: its workers did not send the counts of all rows; run the command again."
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ("data", "other"),
            "other: predictions and references are read from the same files here; give data "
            "alone, and name its columns with --prediction-column and --reference-column.",
        ),
        (
            ("data", "data", "data"),
            "data: predictions and references are read from the same files here; give data "
            "alone, and name its columns with --prediction-column and --reference-column.",
        ),
    ],
)
def test_references_in_other_files_are_an_error(arguments: tuple[str, ...], line: str) -> None:
    assert error(*arguments, "--engine", "ray") == f"bleu-rouge: {line}"


@pytest.mark.usefixtures("data")
def test_one_place_may_be_written_in_several_ways() -> None:
    require("ray")
    Path("link").symlink_to("data")
    for references in ("data/", "./data", "link"):
        assert plan_data(references).paths == ["data/a.parquet", "data/b.jsonl"]


def test_what_ray_cannot_read_is_an_error() -> None:
    require("ray")
    assert error("-", "-", "--engine", "ray") == (
        "bleu-rouge: <stdin>: standard input cannot be read by several processes; give files."
    )
    Path("empty.jsonl").touch()
    assert error("empty.jsonl", "empty.jsonl", "--engine", "ray") == (
        "bleu-rouge: empty.jsonl: there are no samples; expected at least one."
    )


@pytest.mark.usefixtures("data")
def test_scores_of_samples_overwrite_no_file_of_the_folder() -> None:
    require("ray")
    before = Path("data/a.parquet").read_bytes()
    assert error(*RAY, "--per-sample", "data/a.parquet") == (
        "bleu-rouge: data/a.parquet: the file is one of those to score; it would be overwritten."
    )
    assert Path("data/a.parquet").read_bytes() == before


@pytest.mark.usefixtures("data")
def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setitem(sys.modules, "ray.data", None)
    assert error(*RAY) == (
        "bleu-rouge: --engine ray needs the package ray. Install it with: "
        'pip install "bleu-rouge-metric[ray]"'
    )


@pytest.mark.usefixtures("data")
def test_without_an_engine_ray_is_not_imported() -> None:
    code = (
        "import sys; from bleu_rouge_metric.cli.command import app\n"
        "app(['score', 'all.jsonl', 'all.jsonl'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('ray', 'pyspark')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"
