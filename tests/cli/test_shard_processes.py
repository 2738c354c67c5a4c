"""A folder that several processes count: the same scores, errors and warnings as of one."""

import os
import pickle
import re
import signal
import subprocess
import time
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Options, Scorer
from bleu_rouge_metric.cli import folders
from bleu_rouge_metric.cli.folders import add_shards, choose_count, count_in_processes
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.input import FileError, InputFile
from bleu_rouge_metric.files.shards import Shard
from bleu_rouge_metric.options.profiles import BOTH
from bleu_rouge_metric.text.warnings import collect_warnings, warn_caller

from ..support.commands import command, error, invoke, score
from ..support.shard_files import ROWS, plan, write_rows

pytestmark = pytest.mark.usefixtures("own_folder")

SHARDS = [Shard(number, f"{number}.jsonl", "p", "r", 0, None) for number in range(9)]


@pytest.fixture(autouse=True)
def two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make shards small, so that two processes count them."""
    monkeypatch.setattr(shards, "SHARD_BYTES", 2_000)
    monkeypatch.setattr(shards, "SHARD_ROWS", 30)
    monkeypatch.setattr(folders, "BYTES_OF_PROCESS", 1)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "2")


@pytest.fixture
def data(own_folder: None) -> None:  # noqa: ARG001
    """Write three files of several shards each to ``data``."""
    write_rows("data/a.jsonl", ROWS[:150])
    write_rows("data/b.jsonl.gz", ROWS[150:200])
    write_rows("data/c.parquet", ROWS[200:])


def count(options: Options | None = None) -> None:
    """Count the shards of ``data`` in two processes."""
    scorer = Scorer.from_options(options or Options(), BOTH, None)
    add_shards(scorer, plan("data"), partial(count_in_processes, processes=2))


def one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "1")


@pytest.mark.parametrize(
    ("n_shards", "size", "threads", "processes"),
    [(9, 64, 4, 4), (3, 64, 4, 3), (1, 64, 4, 1), (9, 64, 1, 1), (9, 4, 4, 2), (9, 3, 4, 1)],
)
def test_there_is_a_process_for_each_processor_but_not_for_little(
    n_shards: int, size: int, threads: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "BYTES_OF_PROCESS", 2)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", str(threads))
    Path("9.jsonl").write_bytes(b" " * size)
    count: Any = choose_count(SHARDS[:n_shards], [InputFile.from_path("9.jsonl")])
    assert (1 if count is None else count.keywords["processes"]) == processes


@pytest.mark.usefixtures("data")
def test_the_command_gives_the_scores_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def count(*arguments: Any, processes: int) -> Any:
        seen.append(processes)
        return count_in_processes(*arguments, processes=processes)

    monkeypatch.setattr(folders, "count_in_processes", count)
    flags = ("data", "--format", "json", "--confidence", "0.9", "--seed", "1", "--signature")
    printed = score(*flags, "--per-sample", "two.jsonl")
    one_process(monkeypatch)
    assert score(*flags, "--per-sample", "one.jsonl") == printed
    assert seen == [2]
    assert Path("one.jsonl").read_bytes() == Path("two.jsonl").read_bytes()


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize("bad", [2, 100, 149])
def test_the_first_error_is_that_of_one_process(bad: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*ROWS[:bad], {"prediction": None, "reference": "b"}, *ROWS[bad + 1 : 150]]
    write_rows("data/a.jsonl", rows)
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
    write_rows("data/a.jsonl", rows[:1])
    write_rows("data/b.jsonl", rows[1:])
    arguments = ("score", "data", "--family", "rouge", "--format", "csv")
    result = invoke(*arguments)
    assert result.exit_code == 0
    assert f"{min(32, len(rows))} of the first {min(32, len(rows))} samples" in result.stderr
    one_process(monkeypatch)
    assert invoke(*arguments).stderr == result.stderr


class OddError(ImportError):
    """An error that can be pickled, but not unpickled."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


class Tokenizer:
    """A tokenizer that does something at a text whose last word is ``100``."""

    def __init__(self, act: str) -> None:
        self.act = act

    def __call__(self, text: str) -> list[str]:
        words = text.split()
        if words[-1:] != ["100"]:
            return words
        match self.act:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "import":
                raise ImportError("no such library")
            case "odd error":
                raise OddError("a library", "odd")
            case "fault":
                raise KeyError("a fault")
            case "warn":
                warn_caller("this is odd")
        return words


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (
            Tokenizer("kill"),
            r"FileError: data/a.jsonl: the process that counted it was ended \(exit code -9\); if "
            r"memory ran out, set BLEU_ROUGE_THREADS to a smaller number of processes\.",
        ),
        (Tokenizer("import"), "ImportError: no such library"),
        (Tokenizer("odd error"), "TypeError: .*missing 1 required positional .* 'reason'"),
        (Tokenizer("fault"), r"RuntimeError: Traceback .*\bKeyError: 'a fault'\n"),
        (lambda text: text.split(), r"(AttributeError|PicklingError): [Cc]an't (get|pickle) .*"),
    ],
)
def test_what_ends_a_process_is_an_error(tokenizer: Any, message: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the type is in the message
        count(Options(tokenizer=tokenizer))
    assert re.fullmatch(message, f"{caught.type.__name__}: {caught.value}", re.DOTALL)


@pytest.mark.usefixtures("data")
def test_warnings_of_processes_are_those_of_this_one() -> None:
    with collect_warnings() as warnings:
        count(Options(tokenizer=Tokenizer("warn")))
    assert "this is odd" in warnings


@pytest.mark.usefixtures("data")
def test_no_process_is_left_when_the_tables_are_not_all_taken() -> None:
    # It runs until Python ends.
    resource_tracker.ensure_running()
    before = list_children(os.getpid())
    arguments = plan("data"), Options(), BOTH, False
    counts = count_in_processes(*arguments, processes=2)
    next(counts)
    # One of both may have ended already.
    started = list_children(os.getpid()) - before
    assert started
    counts.close()
    assert not started & list_children(os.getpid())


def list_children(process: int) -> set[int]:
    paths = Path("/proc").glob(f"{process}/task/*/children")
    return {int(child) for path in paths for child in path.read_text().split()}


def has_processes(group: int) -> bool:
    """Return whether a process of a group runs; one that nobody has waited for does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_process = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of_process) == group and state != "Z":
            return True
    return False


# What Python imports as pandas: it takes two seconds, and leaves a file when it begins.
SLOW_PANDAS = (
    "import os, time\nopen(str(os.getpid()), 'w').close()\ntime.sleep(2)\n__version__ = '0.1'\n"
)


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN or not Path("/proc/self/task").exists(),
    reason="interrupts are ignored here, or there is no /proc",
)
@pytest.mark.parametrize("wait", [0.0, 0.1, 0.3, 1.0, None])
def test_an_interrupt_ends_all_processes_without_a_word(wait: float | None) -> None:
    line = b'{"prediction": "%s", "reference": "a b"}\n' % (b"a " * 500)
    Path("data").mkdir()
    for number in range(3):
        Path(f"data/{number}.jsonl").write_bytes(line * (40_000_000 // len(line)))
    environment = {**os.environ, "BLEU_ROUGE_THREADS": "3", "PYTHONWARNINGS": "ignore"}
    if wait is None:
        Path("modules").mkdir()
        Path("modules/pandas.py").write_text(SLOW_PANDAS)
        environment["PYTHONPATH"] = f"modules{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    process = subprocess.Popen(
        command("score", "data", "--rouge-type", "rougeS"),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    # The resource tracker of Python and a process, or the import of pandas by Arrow, which must not
    # lose the interrupt.
    while len(list_children(process.pid)) < 2 and not Path(str(process.pid)).exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(wait or 0)
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
