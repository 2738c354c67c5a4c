"""``bleu-rouge score --engine ray`` when workers die: every sample is counted once.

Ray prints a message to standard output a while after a death. So no test here runs the command in
this process and looks at what it prints.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.files.input import FileError

from ..conftest import require
from ..support.commands import command
from ..support.engine_cases import UNDER_ENGINES
from ..support.ray_runs import (  # noqa: F401 - two are fixtures
    RAY,
    RAY_ROWS,
    count_data,
    start_ray,
    write_data,
)
from ..support.shard_files import write_rows

pytestmark = [*UNDER_ENGINES, pytest.mark.usefixtures("own_folder")]


def score_at_once(scorer: Scorer, times: int = 1) -> Mapping[str, object]:
    """Return the scores of the rows in this process."""
    scorer.update(
        *([row[name] for row in RAY_ROWS] * times for name in ("prediction", "reference"))
    )
    return scorer.result()


class Dies:
    """A tokenizer that ends its process some times, each time after it has counted some texts."""

    def __init__(self, folder: Path, times: int) -> None:
        self.folder = folder
        self.times = times
        self.calls = 0

    def __call__(self, text: str) -> list[str]:
        self.calls += 1
        if self.calls % 50 == 0 and len(list(self.folder.iterdir())) < self.times:
            (self.folder / f"{time.time_ns()}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return text.split()


@pytest.mark.usefixtures("ray", "data")
def test_the_shards_of_workers_that_die_are_counted_once(tmp_path: Path) -> None:
    scorer = Scorer("rouge", tokenizer=Dies(tmp_path, 2), use_aggregator=False)
    count_data(scorer)
    assert len(list(tmp_path.iterdir())) >= 2
    assert len(scorer) == len(RAY_ROWS)
    once = Scorer("rouge", tokenizer=str.split, use_aggregator=False)
    assert scorer.result() == score_at_once(once)


@pytest.mark.usefixtures("ray", "data")
def test_a_shard_whose_workers_always_die_is_an_error(tmp_path: Path) -> None:
    # One shard: a worker takes seconds to start.
    Path("data/b.jsonl").unlink()
    write_rows("data/a.parquet", RAY_ROWS[:100])
    scorer = Scorer("rouge", tokenizer=Dies(tmp_path, 1000))
    with pytest.raises(FileError, match=r"^ray: a shard was not counted: .*\bdied\b") as caught:
        count_data(scorer)
    assert "\n" not in str(caught.value)


def list_descendants(process: int) -> Iterator[int]:
    """Iterate over the processes that a process has started, and those that they have started."""
    for path in Path("/proc").glob(f"{process}/task/*/children"):
        for child in map(int, path.read_text().split()):
            yield child
            yield from list_descendants(child)


def kill_a_worker(process: "subprocess.Popen[bytes]") -> bool:
    """End one worker of the command while it counts; return whether there was one."""
    while process.poll() is None:
        try:
            for child in list_descendants(process.pid):
                # The name of a working worker is the name of its task.
                if b"ray::count" in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(child, signal.SIGKILL)
                    return True
        except OSError:  # one of them has ended meanwhile
            continue
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_the_command_counts_every_sample_once_though_a_worker_is_killed() -> None:
    require("ray")
    for name in ("a", "b", "c"):
        write_rows(f"data/{name}.jsonl", RAY_ROWS * 20)
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
    assert json.loads(output) == score_at_once(expected, 60)
