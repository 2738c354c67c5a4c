"""A folder that processes or Ray count: the same scores, errors and warnings as of one process."""

import os
import pickle
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Options, Scorer
from bleu_rouge_metric.cli import folders
from bleu_rouge_metric.cli.folders import (
    Count,
    add_shards,
    check_address,
    choose_count,
    count_in_processes,
    count_in_worker,
    count_with_ray,
)
from bleu_rouge_metric.files import shards
from bleu_rouge_metric.files.input import FileError, InputFile
from bleu_rouge_metric.files.shards import Shard
from bleu_rouge_metric.options.profiles import BOTH
from bleu_rouge_metric.text.warnings import collect_warnings

from ..support.commands import command, error, invoke, score
from ..support.engine_cases import (
    UNDER_ENGINES,
    start_ray,  # noqa: F401 - a fixture
)
from ..support.sample_writers import ROWS, plan, write_rows
from ..support.worker_tokenizers import Tokenizer

pytestmark = pytest.mark.usefixtures("own_folder")

LABELLED = [{**row, "topic": index**2 % 7} for index, row in enumerate(ROWS)]
# Workers in turn are a worker's function in this process, to which everything is sent.
ENGINES = ["workers in turn", pytest.param("ray", marks=UNDER_ENGINES)]


@pytest.fixture(autouse=True)
def _small_shards(own_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """Write three files of several shards each to ``data``, for two processes."""
    monkeypatch.setattr(shards, "SHARD_BYTES", 2_000)
    monkeypatch.setattr(shards, "SHARD_ROWS", 30)
    monkeypatch.setattr(folders, "BYTES_OF_PROCESS", 1)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "2")
    write_rows("data/a.jsonl", LABELLED[:150])
    write_rows("data/b.jsonl.gz", LABELLED[150:200])
    write_rows("data/c.parquet", LABELLED[200:])


def count_in_turn(
    shards: Sequence[Shard], *arguments: Any, processes: int = 2
) -> Generator[Any, None, None]:
    assert processes == 2
    for shard in shards:
        sent = pickle.loads(pickle.dumps((shard, *arguments)))
        yield pickle.loads(pickle.dumps(count_in_worker(*sent)))


in_two: Count = partial(count_in_processes, processes=2)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "ray":
        request.getfixturevalue("ray")
    else:
        monkeypatch.setattr(folders, "count_in_processes", count_in_turn)
    return str(request.param)


def assert_same(engine: str, *arguments: str) -> Any:
    """Check that an engine prints the same as one process; return it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BLEU_ROUGE_THREADS", "1")
        expected = invoke("score", "data", *arguments)
        each = Path("each.csv").read_bytes() if "each.csv" in arguments else None
    done = invoke("score", "data", *arguments, *["--engine", "ray"] * (engine == "ray"))
    assert (done.exit_code, done.stdout, done.stderr) == (
        expected.exit_code, expected.stdout, expected.stderr
    )  # fmt: skip
    assert each is None or Path("each.csv").read_bytes() == each
    return done


@pytest.mark.parametrize(
    "flags",
    [
        "--confidence 0.9 --n-resamples 50 --seed 3 --group-by topic --strip word",
        "--profile sacrebleu --signature --per-sample each.csv",
        "--family rouge --rouge-type rougeW --detailed --no-aggregator",
    ],
)
def test_the_scores_are_those_of_one_process(flags: str, engine: str) -> None:
    assert assert_same(engine, "--format", "json", *flags.split()).exit_code == 0


def test_the_scores_of_processes_are_those_of_one() -> None:
    flags = "--confidence 0.9 --n-resamples 50 --seed 3 --group-by topic --per-sample each.csv"
    assert assert_same("processes", "--format", "json", *flags.split()).exit_code == 0


@pytest.mark.parametrize("bad", [2, 149])
def test_the_first_error_is_that_of_one_process(bad: int, engine: str) -> None:
    rows = [*ROWS[:bad], {"prediction": None, "reference": "b"}, *ROWS[bad + 1 : 150]]
    write_rows("data/a.jsonl", rows)
    # The first error counts, not the one that is found first.
    Path("data/d.jsonl").write_text('{"prediction": "a", "reference": "a"}\n{')
    done = assert_same(engine)
    line = f"bleu-rouge: data/a.jsonl:{bad + 1}: 'prediction' is null; "
    assert (done.exit_code, done.stderr.startswith(line)) == (2, True)


SENTENCES = {"prediction": "One is. Two are.", "reference": "Three were. Four will be."}
LINES = {"prediction": "It rained.\nIt stopped.", "reference": "One. Two."}
LOST = {"prediction": "кошка", "reference": "кот"}


@pytest.mark.parametrize(
    ("rows", "warning"),
    [
        ([SENTENCES] * 2, "2 of the first 2 samples"),
        ([*[SENTENCES] * 59, ROWS[0]], "32 of the first 32 samples"),
        # One newline anywhere means that lines are sentences.
        ([*[SENTENCES] * 59, LINES], None),
        ([*[LOST] * 30, *[LINES] * 30], "30 of 60 samples (50%)"),
    ],
)
def test_the_warnings_are_those_of_one_process(
    rows: list[Any], warning: str | None, engine: str
) -> None:
    write_rows("data/a.jsonl", rows[:1])
    write_rows("data/b.jsonl", rows[1:])
    for name in ("b.jsonl.gz", "c.parquet"):
        Path("data", name).unlink()
    done = assert_same(engine, "--family", "rouge", "--format", "csv")
    assert done.exit_code == 0
    assert (warning or "") in done.stderr
    assert done.stderr.count("one sentence per line") == ("first" in (warning or ""))


@pytest.mark.parametrize(
    ("n_shards", "size", "threads", "processes"),
    [(9, 64, 4, 4), (3, 64, 4, 3), (1, 64, 4, 1), (9, 64, 1, 1), (9, 4, 4, 2), (9, 3, 4, 1)],
)
def test_there_is_a_process_for_each_processor_but_not_for_little(
    n_shards: int, size: int, threads: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "BYTES_OF_PROCESS", 2)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", str(threads))
    Path("a.jsonl").write_bytes(b" " * size)
    parts = [Shard(number, "a.jsonl", "p", "r", 0, None) for number in range(n_shards)]
    count: Any = choose_count(parts, [InputFile.from_path("a.jsonl")])
    assert (1 if count is None else count.keywords["processes"]) == processes


def count(count: Count, tokenizer: Any) -> Scorer:
    scorer = Scorer.from_options(Options(tokenizer=tokenizer), BOTH, None)
    add_shards(scorer, plan("data"), count)
    return scorer


ENDED = (
    r"FileError: data/a.jsonl: the process that counted it was ended \(exit code -9\); if memory "
    r"ran out, set BLEU_ROUGE_THREADS to a smaller number of processes\."
)


@pytest.mark.parametrize(
    ("act", "counts", "message"),
    [
        ("kill", in_two, ENDED),
        ("import", count_in_turn, "ImportError: no such library"),
        ("odd error", in_two, "TypeError: .*missing 1 required positional .* 'reason'"),
        ("fault", count_in_turn, r"RuntimeError: Traceback .*\bKeyError: 'a fault'\n"),
        (lambda text: text.split(), in_two, r"\w+Error: [Cc]an't (get|pickle) .*"),
    ],
)
def test_what_ends_a_process_is_an_error(act: Any, counts: Count, message: str) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the type is in the message
        count(counts, Tokenizer(act) if isinstance(act, str) else act)
    assert re.fullmatch(message, f"{caught.type.__name__}: {caught.value}", re.DOTALL)


@pytest.mark.usefixtures("engine")
def test_warnings_of_workers_are_those_of_this_process(engine: str) -> None:
    with collect_warnings() as warnings:
        count(count_with_ray if engine == "ray" else count_in_turn, Tokenizer("warn"))
    assert "this is odd" in warnings


@pytest.mark.parametrize("times", [2, 1000])
@pytest.mark.parametrize("engine", ENGINES[1:], indirect=True)
@pytest.mark.usefixtures("engine")
def test_ray_counts_the_shards_of_workers_that_die_again(times: int) -> None:
    tokenizer = Tokenizer("kill", times)
    if times > 2:
        with pytest.raises(FileError, match=r"^ray: a shard was not counted: .*\bdied\b") as caught:
            count(count_with_ray, tokenizer)
        assert "\n" not in str(caught.value)
        return
    once = Scorer(tokenizer=str.split)
    with collect_warnings():  # some texts are empty
        scorer = count(count_with_ray, tokenizer)
        once.update(*([row[name] for row in ROWS] for name in ("prediction", "reference")))
    assert len(list(tokenizer.folder.iterdir())) == 2
    assert scorer.result() == once.result()


def list_children(process: int) -> set[int]:
    paths = Path("/proc").glob(f"{process}/task/*/children")
    return {int(child) for path in paths for child in path.read_text().split()}


def list_processes(group: int) -> Iterator[int]:
    """Iterate over the processes of a group that run; one that nobody has waited for does not."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_process = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(of_process) == group and state != "Z":
            yield int(path.parent.name)


def test_no_process_is_left_when_the_counts_are_not_all_taken() -> None:
    # It runs until Python ends.
    resource_tracker.ensure_running()
    before = list_children(os.getpid())
    counts = in_two(plan("data"), Options(), BOTH, True)  # noqa: FBT003
    next(counts)
    # One of both may have ended already.
    started = list_children(os.getpid()) - before
    assert started
    counts.close()
    assert not started & list_children(os.getpid())


# What Python imports as pandas: it takes two seconds, and leaves a file when it begins.
SLOW_PANDAS = (
    "import os, time\nopen(str(os.getpid()), 'w').close()\ntime.sleep(2)\n__version__ = '0.1'\n"
)


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN or not Path("/proc/self/task").exists(),
    reason="interrupts are ignored here, or there is no /proc",
)
@pytest.mark.parametrize("wait", [0.0, 0.3, None])
def test_an_interrupt_ends_all_processes_without_a_word(wait: float | None) -> None:
    line = b'{"prediction": "%s", "reference": "a b"}\n' % (b"a " * 500)
    Path("data/0.jsonl").write_bytes(line * (40_000_000 // len(line)))
    for number in (1, 2):
        Path(f"data/{number}.jsonl").hardlink_to("data/0.jsonl")
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
    while any(list_processes(process.pid)):
        time.sleep(0.01)


def test_one_place_may_be_written_in_several_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "1")
    Path("link").symlink_to("data")
    assert {score("data", references) for references in ("data/", "./data", "link")} == {
        score("data")
    }


def test_ray_is_imported_only_for_its_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "1")
    assert invoke("score", "data").exit_code == 0
    assert error("data", "--engine", "ray") == (
        "bleu-rouge: --engine ray needs the package ray. Install it with: "
        'pip install "bleu-rouge-metric[ray]"'
    )


def test_a_cluster_that_does_not_answer_is_an_error_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"ray://localhost:{port}", "auto", "local", ""):
            check_address(address)
    for address in (f"127.0.0.1:{port}", f"ray://127.0.0.1:{port}", "127.0.0.1:99999"):
        start = re.escape(f"RAY_ADDRESS={address}: the cluster cannot be reached: ")
        with pytest.raises(FileError, match=f"^{start}"):
            check_address(address)
