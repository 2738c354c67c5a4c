"""``bleu-rouge score --engine ray``: the same numbers, messages and files as without Ray."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.cli import ray_engine
from bleu_rouge_metric.cli.counting import Work
from bleu_rouge_metric.cli.folders import Shards, plan_folder
from bleu_rouge_metric.cli.shard_counts import pack_table
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.lines import FileError, FileFormat
from bleu_rouge_metric.files.shards import Shard
from bleu_rouge_metric.text.warnings import SentenceLines

from ..conftest import require
from ..support.commands import command, error, invoke, score, score_json
from ..support.engine_cases import UNDER_ENGINES
from ..support.ray_runs import start_ray  # noqa: F401 - a fixture

pytestmark = [*UNDER_ENGINES, pytest.mark.usefixtures("own_folder")]

WORDS = ["the", "storm", "closed", "two", "schools", "in", "the", "north", "of", "the", "city"]
ROWS: list[dict[str, Any]] = [
    {
        "prediction": " ".join(WORDS[i % 5 : 5 + i % 9]),
        "reference": [" ".join(WORDS[j::2]) for j in range(1 + i % 2)],
    }
    for i in range(600)
]
RAY = ("data", "data", "--engine", "ray")
ONE = ("all.jsonl", "all.jsonl")


def write_lines(path: str, rows: list[Any]) -> None:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture
def data(own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Write two files of several shards each to ``data``, and all their rows to ``all.jsonl``."""
    monkeypatch.setattr(shards, "SHARD_BYTES", 10_000)
    monkeypatch.setattr(shards, "SHARD_ROWS", 100)
    Path("data").mkdir()
    parquet.write_table(pa.Table.from_pylist(ROWS[:250]), "data/a.parquet", row_group_size=60)
    write_lines("data/b.jsonl", ROWS[250:])
    write_lines("all.jsonl", ROWS)


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
    line = invoke("score", *RAY).stderr
    assert line == invoke("score", "data/b.jsonl", "data/b.jsonl").stderr
    assert line.startswith("bleu-rouge: warning: rougeLsum: one sentence a line, but no text has a")
    # One newline anywhere means that lines are sentences.
    rows[-1] = {"prediction": "It rained.\nIt stopped.", "reference": "One. Two."}
    write_lines("data/b.jsonl", rows)
    assert invoke("score", *RAY).stderr == ""


def plan(references: str = "data") -> Work:
    return plan_folder(
        "data",
        [references],
        count=ray_engine.count_with_ray,
        prediction_column=None,
        reference_column=None,
        stdin_format=FileFormat.TEXT,
    )


@pytest.mark.usefixtures("ray", "data")
def test_progress_is_told_in_samples_where_their_number_is_known() -> None:
    done: list[int] = []
    work = plan()
    assert (work.total, work.unit) == (7, "shards")
    work.run(Scorer(), done.append)
    assert sum(done) == 7
    Path("data/b.jsonl").unlink()
    done.clear()
    work = plan()
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
        plan().run(Scorer("rouge", tokenizer=Fails()), lambda _: None)


class Dies:
    """A tokenizer that ends its process a given number of times."""

    def __init__(self, folder: Path, times: int) -> None:
        self.folder = folder
        self.times = times

    def __call__(self, text: str) -> list[str]:
        if len(list(self.folder.iterdir())) < self.times:
            (self.folder / f"{time.time_ns()}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()


@pytest.mark.usefixtures("ray", "data")
def test_the_shards_of_workers_that_die_are_counted_once(tmp_path: Path) -> None:
    folder = tmp_path / "deaths"
    folder.mkdir()
    scorer = Scorer("rouge", tokenizer=Dies(folder, 2), use_aggregator=False)
    plan().run(scorer, lambda _: None)
    assert len(list(folder.iterdir())) >= 2
    assert len(scorer) == len(ROWS)
    assert scorer.result() == score_json(
        *ONE, "--family", "rouge", "--tokenizer", "whitespace", "--no-aggregator"
    )


@pytest.mark.usefixtures("ray", "data")
def test_a_shard_whose_workers_always_die_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "deaths"
    folder.mkdir()
    scorer = Scorer("rouge", tokenizer=Dies(folder, 1000))
    with pytest.raises(FileError, match=r"^ray: a shard was not counted: .*\bdied\b") as caught:
        plan().run(scorer, lambda _: None)
    assert "\n" not in str(caught.value)


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
        assert plan(references).paths == ["data/a.parquet", "data/b.jsonl"]


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
        "bleu-rouge: --engine ray needs Ray Data, which is not installed: "
        'pip install "bleu-rouge-metric[ray]".'
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


def children(process: int) -> list[int]:
    """Return the processes that a process has started, and their descendants."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended meanwhile
            continue
        if parent == process:
            number = int(path.parent.name)
            found += [number, *children(number)]
    return found


def kill_a_worker(process: "subprocess.Popen[bytes]") -> bool:
    """End one worker of the command while it counts; return whether there was one."""
    while process.poll() is None:
        for child in children(process.pid):
            try:
                name = Path(f"/proc/{child}/cmdline").read_bytes()
            except OSError:
                continue
            # The name of a working worker is the name of its task.
            if name.startswith(b"ray::Map"):
                os.kill(child, signal.SIGKILL)
                return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_the_command_counts_every_sample_once_though_a_worker_is_killed() -> None:
    require("ray")
    Path("data").mkdir()
    for name in ("a", "b", "c"):
        write_lines(f"data/{name}.jsonl", ROWS * 20)
    write_lines("all.jsonl", ROWS * 60)
    process = subprocess.Popen(
        command("score", *RAY, "--format", "json", "--rouge-tokenizer", "unicode"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"},
    )
    killed = kill_a_worker(process)
    output, errors = process.communicate()
    assert killed
    assert (process.returncode, errors) == (0, b"")
    assert json.loads(output) == score_json(*ONE, "--rouge-tokenizer", "unicode")
