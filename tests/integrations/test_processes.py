"""``num_process > 1``: calls of real processes, also if processes are not synchronized."""

import multiprocessing
import shutil
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import evaluate
import pytest

from ..conftest import METRIC

ROUNDS = 4


def make_metric(process_id: int, num_process: int, folder: Path, timeout: float = 60) -> Any:
    """Load the metric of one process."""
    return evaluate.load(
        METRIC,
        num_process=num_process,
        process_id=process_id,
        experiment_id="rounds",
        cache_dir=str(folder),
        timeout=timeout,
        seed=1,
    )


def make_texts(process_id: int, number: int) -> dict[str, Any]:
    """Make the texts of a process in a round; the last process has none in round 1."""
    samples = 0 if (process_id, number) == (2, 1) else 1 + (process_id + number) % 3
    names = [f"the cat {process_id} sat on {number} of {n} mats" for n in range(samples)]
    references = [[f"a {name}", f"{name} \ud800"][: 1 + n % 2] for n, name in enumerate(names)]
    return {"predictions": names, "references": references}


def expect(num_process: int, number: int, **options: Any) -> dict[str, Any]:
    """Return the scores of one process for the texts of all processes in a round."""
    metric = evaluate.load(METRIC, seed=1)
    for process_id in range(num_process):
        texts = make_texts(process_id, number)
        if texts["predictions"]:
            metric.add_batch(**texts)
    scores: dict[str, Any] = metric.compute(**options)
    return scores


def _compute_rounds(
    process_id: int, num_process: int, folder: Path, barrier: Any, results: Any
) -> None:
    """Run rounds without synchronization, and then rounds with a barrier."""
    metric = make_metric(process_id, num_process, folder)
    found = []
    for number in range(2 * ROUNDS):
        if number >= ROUNDS:
            barrier.wait()
        elif number % num_process == process_id:
            time.sleep(0.2)
        texts = make_texts(process_id, number)
        if texts["predictions"] and number % 2:
            metric.add_batch(**texts)
        given = texts if texts["predictions"] and not number % 2 else {}
        found.append(metric.compute(**given, use_aggregator=False, sentence_bleu=True))
    results.put((process_id, found))


@pytest.mark.parametrize("num_process", [2, 3])
def test_rounds_score_the_samples_of_all_processes(tmp_path: Path, num_process: int) -> None:
    context = multiprocessing.get_context("spawn")
    results, barrier = context.Queue(), context.Barrier(num_process)
    processes = [
        context.Process(
            target=_compute_rounds, args=(process_id, num_process, tmp_path, barrier, results)
        )
        for process_id in range(num_process)
    ]
    for process in processes:
        process.start()
    found = dict(results.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    options = {"use_aggregator": False, "sentence_bleu": True}
    assert found.pop(0) == [expect(num_process, number, **options) for number in range(2 * ROUNDS)]
    assert list(found.values()) == [[None] * 2 * ROUNDS] * (num_process - 1)
    assert list_files(tmp_path) == [f"rounds-{num_process}-0.json"]


def list_files(folder: Path) -> list[str]:
    """List the names of the files below a folder."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def list_finished(folder: Path) -> list[str]:
    """Return the names of the files under a folder that are written to their end."""
    return [name for name in list_files(folder) if name.endswith(".json")]


def describe(call: "Future[Any]") -> Any:
    """Return the result of a call, or the type and text of its error."""
    error = call.exception(timeout=60)
    return call.result() if error is None else (type(error).__name__, str(error))


class Processes:
    """Metrics of several processes, each in a thread; they share only files."""

    def __init__(self, num_process: int, folder: Path, timeout: float = 60) -> None:
        self._pool = ThreadPoolExecutor(num_process)
        self.metrics = [make_metric(i, num_process, folder, timeout) for i in range(num_process)]

    def start(self, process_id: int, number: int, **options: Any) -> "Future[Any]":
        """Call compute in one process."""
        texts = make_texts(process_id, number)
        return self._pool.submit(self.metrics[process_id].compute, **texts, **options)

    def run(self, number: int) -> list[Any]:
        """Call compute in all processes."""
        calls = [self.start(index, number) for index in range(len(self.metrics))]
        return [describe(call) for call in calls]


def say_step(process_id: int, call: int, first_call: int) -> tuple[str, str]:
    return (
        "RuntimeError",
        f"Process {process_id} is at its call {call} of compute and process 0 at its call "
        f"{first_call}; the process that is ahead had an error in an earlier call. "
        "All processes must call compute equally often.",
    )


def test_an_error_on_process_0_is_an_error_on_the_others(tmp_path: Path) -> None:
    processes = Processes(3, tmp_path)
    waiting = [processes.start(1, 0), processes.start(2, 0)]
    assert describe(processes.start(0, 0, max_order=0))[0] == "ValueError"
    # Process 0 is in the next round; the others notice this and answer again.
    first = processes.start(0, 2)
    assert [describe(call) for call in waiting] == [say_step(1, 1, 2), say_step(2, 1, 2)]
    others = [processes.start(1, 2), processes.start(2, 2)]
    assert describe(first) == expect(3, 2)
    assert [describe(call) for call in others] == [None, None]


def test_an_error_on_another_process_is_an_error_on_all(tmp_path: Path) -> None:
    processes = Processes(3, tmp_path)
    waiting = [processes.start(0, 0), processes.start(2, 0)]
    assert describe(processes.start(1, 0, max_order=0))[0] == "ValueError"
    ahead = processes.start(1, 2)
    step = say_step(1, 2, 1)
    assert describe(waiting[0]) == step
    first = processes.start(0, 2)
    # The error depends on what it reads first.
    assert describe(waiting[1]) in [
        ("RuntimeError", f"Process 0 gave up: {step[1]}"),
        say_step(2, 1, 2),
    ]
    other = processes.start(2, 2)
    assert describe(first) == expect(3, 2)
    assert describe(other) is describe(ahead) is None


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    processes = Processes(3, tmp_path, timeout=0.3)
    assert describe(processes.start(0, 0)) == (
        "TimeoutError",
        "Process 0 waited 0.3 seconds in compute for the samples of process 1, 2; all processes "
        "must call compute equally often, also a process without samples. "
        "evaluate.load(..., timeout=) sets how many seconds to wait.",
    )
    assert describe(processes.start(1, 0)) == (
        "TimeoutError",
        "Process 1 waited 0.3 seconds in compute for process 0 to take its samples; all processes "
        "must call compute equally often. "
        "evaluate.load(..., timeout=) sets how many seconds to wait.",
    )
    assert list_files(tmp_path) == ["rounds-3-0.json"]


def test_a_process_that_no_longer_waits_is_not_scored(tmp_path: Path) -> None:
    processes = Processes(3, tmp_path)
    processes.metrics[1].timeout = 0.3
    first, impatient = processes.start(0, 0), processes.start(1, 0)
    assert describe(impatient)[0] == "TimeoutError"
    assert describe(first) == (
        "RuntimeError",
        "Process 1 gave up waiting for the others in compute.",
    )
    late, calls = processes.start(2, 0), [processes.start(0, 2)]
    assert describe(late) == say_step(2, 1, 2)
    processes.metrics[1].timeout = 60
    calls += [processes.start(1, 2), processes.start(2, 2)]
    assert [describe(call) for call in calls] == [expect(3, 2), None, None]


def test_an_error_keeps_what_was_added(tmp_path: Path) -> None:
    processes = Processes(2, tmp_path, timeout=0.1)
    for process_id, metric in enumerate(processes.metrics):
        metric.add_batch(**make_texts(process_id, 0))
        with pytest.raises(TimeoutError):
            metric.compute()
        assert len(metric) == len(make_texts(process_id, 0)["predictions"])
        metric.timeout = 60
    calls = [processes._pool.submit(metric.compute) for metric in processes.metrics]
    assert [describe(call) for call in calls] == [expect(2, 0), None]
    assert [len(metric) for metric in processes.metrics] == [0, 0]


def test_files_of_a_killed_run_are_not_taken_for_samples(tmp_path: Path) -> None:
    folder, killed = tmp_path / "shared", tmp_path / "killed"
    assert Processes(2, folder).run(0) == [expect(2, 0), None]
    processes = Processes(2, folder, timeout=1)
    late = processes.start(1, 0)
    while len(list_finished(folder)) < 3:  # the head of the run before, samples, a note
        time.sleep(0.01)
    shutil.copytree(folder, killed)
    assert describe(late)[0] == "TimeoutError"
    shutil.copytree(killed, folder, dirs_exist_ok=True)
    for number in (2, 3):
        assert Processes(2, folder).run(number) == [expect(2, number), None]


def test_two_runs_of_one_name_are_an_error(tmp_path: Path) -> None:
    ours, theirs = Processes(2, tmp_path), Processes(2, tmp_path)
    first = ours.start(0, 0)
    # The head itself: the second run removes an unfinished one, as if it were left behind.
    while "rounds-2-0.json" not in list_files(tmp_path):
        time.sleep(0.01)
    second = theirs.start(0, 0)
    kind, text = describe(first)
    assert kind == "RuntimeError"
    assert text.startswith("Another process 0 writes to ")
    assert text.endswith("; give each run its own experiment_id in evaluate.load.")
    assert describe(second)[0] == "RuntimeError"


def test_no_samples_at_all_are_an_error_on_process_0(tmp_path: Path) -> None:
    processes = Processes(2, tmp_path)
    calls = [processes._pool.submit(metric.compute) for metric in processes.metrics]
    assert describe(calls[0]) == (
        "ValueError",
        "There are no samples to score; give predictions and references, "
        "or add some first with add or add_batch.",
    )
    assert describe(calls[1]) is None
