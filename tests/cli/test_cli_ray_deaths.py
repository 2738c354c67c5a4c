"""``bleu-rouge score --engine ray`` when workers die: every sample is counted once.

Ray prints a message to standard output a while after a death. So no test here runs the command in
this process and looks at what it prints.
"""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.files.input import FileError

from ..conftest import require
from ..support.commands import command
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

COLUMNS = [[row[name] for row in ROWS] for name in ("prediction", "reference")]


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
    plan_data().run(scorer, lambda _: None)
    assert len(list(folder.iterdir())) >= 2
    assert len(scorer) == len(ROWS)
    expected = Scorer("rouge", tokenizer=str.split, use_aggregator=False)
    expected.update(*COLUMNS)
    assert scorer.result() == expected.result()


@pytest.mark.usefixtures("ray", "data")
def test_a_shard_whose_workers_always_die_is_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "deaths"
    folder.mkdir()
    scorer = Scorer("rouge", tokenizer=Dies(folder, 1000))
    with pytest.raises(FileError, match=r"^ray: a shard was not counted: .*\bdied\b") as caught:
        plan_data().run(scorer, lambda _: None)
    assert "\n" not in str(caught.value)


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
    rouge = ("--family", "rouge", "--rouge-tokenizer", "unicode")
    process = subprocess.Popen(
        command("score", *RAY, "--format", "json", *rouge),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"},
    )
    killed = kill_a_worker(process)
    output, errors = process.communicate()
    assert killed
    assert (process.returncode, errors) == (0, b"")
    expected = Scorer("rouge", rouge_tokenizer="unicode")
    expected.update(*(column * 60 for column in COLUMNS))
    assert json.loads(output) == expected.result()
