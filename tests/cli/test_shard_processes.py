"""A folder that several processes count: the same scores, errors and warnings as of one."""

import gzip
import json
import os
import pickle
import signal
import subprocess
import time
from collections.abc import Callable
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric import Options
from bleu_rouge_metric.cli import shard_processes
from bleu_rouge_metric.cli.shard_counts import count_shards
from bleu_rouge_metric.cli.shard_processes import choose_processes, count_in_processes
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.shards import Shard, list_files, make_shared_choices, plan_shards
from bleu_rouge_metric.options.profiles import FAMILIES
from bleu_rouge_metric.text.warnings import SentenceLines, collect_warnings

from ..support.commands import command, error, invoke, score

pytestmark = pytest.mark.usefixtures("own_folder")

ROWS: list[dict[str, Any]] = [
    {"prediction": "word " * (i % 7), "reference": [f"word é {i}", "second"][: 1 + i % 2]}
    for i in range(300)
]


def write_lines(path: str, rows: list[Any]) -> None:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def cut(folder: str = "data") -> list[Shard]:
    return plan_shards(list_files(folder), make_shared_choices(folder))


@pytest.fixture
def data(own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Three files of several shards each in ``data``, which two processes count."""
    monkeypatch.setattr(shards, "SHARD_BYTES", 2_000)
    monkeypatch.setattr(shards, "SHARD_ROWS", 30)
    monkeypatch.setattr(shard_processes, "BYTES_OF_PROCESS", 1)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "2")
    Path("data").mkdir()
    write_lines("data/a.jsonl", ROWS[:150])
    Path("data/b.jsonl.gz").write_bytes(
        gzip.compress("".join(json.dumps(row) + "\n" for row in ROWS[150:200]).encode())
    )
    parquet.write_table(pa.Table.from_pylist(ROWS[200:]), "data/c.parquet", row_group_size=30)


def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "1")


@pytest.mark.parametrize(
    ("n_shards", "size", "threads", "processes"),
    [
        (9, 1 << 30, 4, 4),
        (3, 1 << 30, 4, 3),
        (1, 1 << 30, 4, 1),
        (9, 1 << 30, 1, 1),
        (9, 1 << 26, 4, 2),
        (9, (1 << 26) - 1, 4, 1),
        (9, 0, 4, 1),
    ],
)
def test_there_is_a_process_for_each_processor_but_not_for_little(
    n_shards: int, size: int, threads: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", str(threads))
    parts = [Shard(i, "a.jsonl", "p", "r", 0, None) for i in range(n_shards)]
    assert choose_processes(parts, size) == processes


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("processes", [2, 3])
def test_processes_give_the_tables_of_one_process_in_the_same_order(processes: int) -> None:
    parts = cut()
    assert len(parts) > 2 * processes
    lines, same = SentenceLines(), SentenceLines()
    ours = list(count_in_processes(parts, Options(), FAMILIES, lines, processes))
    theirs = list(count_shards(parts, Options(), FAMILIES, same))
    assert ours.count(None) == len(parts)
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert one == other if one is None else one.equals(other)
    assert lines == same


@pytest.mark.usefixtures("data")
def test_the_command_gives_the_scores_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def count(*arguments: Any) -> Any:
        seen.append(arguments[-1])
        return count_in_processes(*arguments)

    monkeypatch.setattr("bleu_rouge_metric.cli.folders.count_in_processes", count)
    flags = ("data", "--format", "json", "--confidence", "0.9", "--seed", "1", "--signature")
    printed = score(*flags, "--per-sample", "two.jsonl")
    assert seen == [2]
    one_process(monkeypatch)
    assert score(*flags, "--per-sample", "one.jsonl") == printed
    assert seen == [2]
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("bad", [2, 100, 149])
def test_the_first_error_is_that_of_one_process(bad: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*ROWS[:bad], {"prediction": None, "reference": "b"}, *ROWS[bad + 1 : 150]]
    write_lines("data/a.jsonl", rows)
    # The first error counts, not the one that is found first.
    Path("data/d.jsonl").write_text('{"prediction": "a", "reference": "a"}\n{')
    line = error("data")
    assert line.startswith(f"bleu-rouge: data/a.jsonl:{bad + 1}: 'prediction' is null; ")
    one_process(monkeypatch)
    assert error("data") == line


SENTENCES = {"prediction": "One is. Two are.", "reference": "Three were. Four will be."}


@pytest.mark.parametrize("rows", [[SENTENCES] * 60, [SENTENCES] * 2, [*[SENTENCES] * 59, ROWS[0]]])
def test_the_warning_about_sentences_is_that_of_one_process(
    rows: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_BYTES", 1_000)
    monkeypatch.setattr(shard_processes, "BYTES_OF_PROCESS", 1)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "2")
    Path("data").mkdir()
    write_lines("data/a.jsonl", rows[:1])
    write_lines("data/b.jsonl", rows[1:])
    result = invoke("score", "data", "--family", "rouge", "--format", "csv")
    assert result.exit_code == 0
    assert f"several of the first {min(32, len(rows))} samples" not in result.stderr
    assert f"the first {min(32, len(rows))} samples have several" in result.stderr
    one_process(monkeypatch)
    assert invoke("score", "data", "--family", "rouge", "--format", "csv").stderr == result.stderr


class Tokenizer:
    """A tokenizer that does something at the first word of a text that is ``number``."""

    def __init__(self, number: int, act: Callable[[], object]) -> None:
        self.number = str(number)
        self.act = act

    def __call__(self, text: str) -> list[str]:
        words = text.split()
        if words[-1:] == [self.number]:
            self.act()
        return words


def kill_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def miss_library() -> None:
    raise ImportError("no such library")


def fail() -> None:
    raise KeyError("a fault")


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("act", "kind", "message"),
    [
        (
            kill_process,
            FileError,
            r"^data/a.jsonl: the process that counted it was ended \(exit code -9\); if memory ran "
            r"out, set BLEU_ROUGE_THREADS to a smaller number of processes\.$",
        ),
        (miss_library, ImportError, r"^no such library$"),
        (fail, RuntimeError, r"(?s)^Traceback .*\bKeyError: 'a fault'"),
    ],
)
def test_what_ends_a_process_is_an_error(
    act: Callable[[], object], kind: type[Exception], message: str
) -> None:
    options = Options(tokenizer=Tokenizer(100, act))
    with pytest.raises(kind, match=message):
        list(count_in_processes(cut(), options, FAMILIES, SentenceLines(), 2))


@pytest.mark.usefixtures("data")
def test_processes_that_cannot_start_are_an_error() -> None:
    options = Options(tokenizer=lambda text: text.split())
    with pytest.raises((AttributeError, pickle.PicklingError), match=r"[Cc]an't (get|pickle) "):
        list(count_in_processes(cut(), options, FAMILIES, SentenceLines(), 2))


class OddError(ImportError):
    """An error that can be pickled, but not unpickled."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


def raise_odd_error() -> None:
    raise OddError("a library", "odd")


@pytest.mark.usefixtures("data")
def test_an_error_that_cannot_be_unpickled_is_an_error() -> None:
    options = Options(tokenizer=Tokenizer(100, raise_odd_error))
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'reason'"):
        list(count_in_processes(cut(), options, FAMILIES, SentenceLines(), 2))


def warn() -> None:
    from bleu_rouge_metric.text.warnings import warn_caller

    warn_caller("this is odd")


@pytest.mark.usefixtures("data")
def test_warnings_of_processes_are_those_of_this_one() -> None:
    options = Options(tokenizer=Tokenizer(100, warn))
    with collect_warnings() as warnings:
        list(count_in_processes(cut(), options, FAMILIES, SentenceLines(), 2))
    assert set(warnings) == {"this is odd"}


@pytest.mark.usefixtures("data")
def test_no_process_is_left_when_the_tables_are_not_all_taken() -> None:
    # It runs until Python ends.
    resource_tracker.ensure_running()
    before = list_children(os.getpid())
    tables = count_in_processes(cut(), Options(), FAMILIES, SentenceLines(), 2)
    next(tables)
    # One of both may have ended already.
    started = list_children(os.getpid()) - before
    assert started
    tables.close()  # type: ignore[attr-defined]
    assert not started & list_children(os.getpid())


def list_children(process: int) -> set[int]:
    paths = Path("/proc").glob(f"{process}/task/*/children")
    return {int(child) for path in paths for child in path.read_text().split()}


def has_processes(group: int) -> bool:
    """Whether a process of a group runs; one that nobody has waited for does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_process = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of_process) == group and state != "Z":
            return True
    return False


needs_interrupts = pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN or not Path("/proc/self/task").exists(),
    reason="interrupts are ignored here, or there is no /proc",
)


@needs_interrupts
@pytest.mark.parametrize("wait", [0.0, 0.1, 0.3, 1.0])
def test_an_interrupt_ends_all_processes_without_a_word(wait: float) -> None:
    process = start_command()
    # The resource tracker of Python, and a process.
    while len(list_children(process.pid)) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(wait)
    interrupt(process)


@needs_interrupts
def test_an_interrupt_is_not_lost_while_arrow_imports_pandas() -> None:
    Path("modules").mkdir()
    Path("modules/pandas.py").write_text(
        "import os, time\nopen(str(os.getpid()), 'w').close()\ntime.sleep(2)\n__version__ = '0.1'\n"
    )
    process = start_command(PYTHONPATH="modules", PYTHONWARNINGS="ignore")
    while not Path(str(process.pid)).exists():
        assert process.poll() is None
        time.sleep(0.01)
    interrupt(process)


def start_command(**environment: str) -> "subprocess.Popen[bytes]":
    """Let three processes count some seconds."""
    Path("data").mkdir()
    line = b'{"prediction": "%s", "reference": "a b"}\n' % (b"a " * 500)
    for number in range(3):
        Path(f"data/{number}.jsonl").write_bytes(line * (40_000_000 // len(line)))
    return subprocess.Popen(
        command("score", "data", "--rouge-type", "rougeS"),
        env={**os.environ, "BLEU_ROUGE_THREADS": "3", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def interrupt(process: "subprocess.Popen[bytes]") -> None:
    """Press Ctrl-C in the terminal of a command; it ends, and so do all its processes."""
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (130, b"", b"bleu-rouge: interrupted.\n")
    while has_processes(process.pid):
        time.sleep(0.01)


def test_an_error_of_a_file_can_be_sent() -> None:
    for line in (None, 7):
        sent = pickle.loads(pickle.dumps(FileError("-", "bad.", line)))
        assert (sent.path, sent.message, sent.line) == ("-", "bad.", line)
        assert str(sent) == str(FileError("-", "bad.", line))
