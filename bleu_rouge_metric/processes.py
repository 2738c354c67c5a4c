"""Samples of several processes gathered in process 0 through files of a folder that all see.

For ``evaluate.load(..., num_process=, process_id=)``. The files of evaluate's own base class mix up
rounds of ``compute`` where nothing else keeps the processes in step; these do not:

* process 0 writes a head file with a token that is new on every call;
* another process writes its samples, then a note for that token, which says where they are;
* process 0 says in its head file which notes it has seen, and removes the samples as soon as it has
  those of all; only then do the others return.

So no file of an earlier call, or of a run that was killed, is ever taken for one of this call, and
every process waits for the others, within a limit. Runs that share a folder need names of their
own, as in evaluate: its ``experiment_id``.
"""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import numpy as np

from .arrow_texts import to_list
from .inputs import Samples, concatenate_samples, to_offsets

_SECONDS_BETWEEN_LOOKS: Final = 0.01


class _Head(NamedTuple):
    """What process 0 tells the others.

    Attributes:
        token: of this call of process 0.
        call: how many calls of ``compute`` it has begun.
        seen: tokens of the calls whose notes it has seen.
        error: why it gave up, or nothing.
    """

    token: str
    call: int
    seen: list[str]
    error: str = ""


class _Note(NamedTuple):
    """What another process answers to a head: the token of its own call, and which call it is."""

    token: str
    call: int


def gather_samples(
    batches: list[Samples],
    prefix: str,
    *,
    process_id: int,
    num_process: int,
    call: int,
    timeout: float,
) -> list[Samples] | None:
    """The batches of all processes, in the order of the processes; None on all but process 0.

    Args:
        batches: of this process; may be none.
        prefix: of the paths of the files; the same on every process.
        process_id: of this process, from 0 up to ``num_process``.
        num_process: how many processes there are.
        call: how many calls of ``compute`` this process has begun.
        timeout: how many seconds to wait for the others.

    Raises:
        TimeoutError: another process did not come.
        RuntimeError: another process is at another call or gave up, or two runs share the files.
    """
    if process_id:
        _hand_over(batches, prefix, process_id, call, timeout)
        return None
    head = _Head(uuid4().hex, call, [])
    _write(_head_path(prefix), head)
    try:
        found = _collect(prefix, num_process, head, timeout)
    except BaseException as error:
        _write(_head_path(prefix), head._replace(error=str(error) or type(error).__name__))
        raise
    return [*batches, *(batch for samples in found for batch in samples)]


def _collect(prefix: str, num_process: int, head: _Head, timeout: float) -> list[list[Samples]]:
    """The batches of the other processes, by process."""
    found: dict[int, list[Samples]] = {}
    paths: dict[int, Path] = {}
    missing = list(range(1, num_process))
    for _ in _until(timeout):
        for process_id, note in _read_notes(prefix, missing, head).items():
            if note.call > head.call:
                raise RuntimeError(_describe_step(process_id, note.call, head.call))
            path = _samples_path(prefix, process_id, note.token)
            samples = _read(path)
            # One that is behind finds out from the head, and comes again with its next call.
            if note.call == head.call and samples is not None:
                found[process_id] = _from_lists(*samples)
                paths[process_id] = path
        missing = [process_id for process_id in missing if process_id not in found]
        _check_that_they_wait(paths)
        if not missing:
            for path in paths.values():
                path.unlink()
            return [found[process_id] for process_id in range(1, num_process)]
        theirs = _read(_head_path(prefix))
        if theirs is not None and _Head(*theirs).token != head.token:
            raise RuntimeError(
                f"Another process 0 writes to {_head_path(prefix)}; "
                "give each run an experiment_id of its own in evaluate.load."
            )
    names = ", ".join(map(str, missing))
    raise TimeoutError(
        f"Process 0 waited {timeout} seconds in compute for the samples of process {names}; every "
        "process calls compute as often as the others, also one without samples. "
        "evaluate.load(..., timeout=) sets how many seconds to wait."
    )


def _read_notes(prefix: str, processes: list[int], head: _Head) -> dict[int, _Note]:
    """The notes for this head by process; tells those that are new that they are seen."""
    read = {index: _read(_note_path(prefix, index, head.token)) for index in processes}
    notes = {index: _Note(*note) for index, note in read.items() if note is not None}
    new = [note.token for note in notes.values() if note.token not in head.seen]
    if new:
        head.seen.extend(new)
        _write(_head_path(prefix), head)
    return notes


def _check_that_they_wait(paths: dict[int, Path]) -> None:
    """Raises RuntimeError where a process has withdrawn its samples."""
    for process_id, path in paths.items():
        if not path.exists():
            raise RuntimeError(f"Process {process_id} gave up waiting for the others in compute.")


def _hand_over(
    batches: list[Samples], prefix: str, process_id: int, call: int, timeout: float
) -> None:
    """Offers the batches until process 0 has taken those of all."""
    token = uuid4().hex
    samples = _samples_path(prefix, process_id, token)
    notes: list[Path] = []
    try:
        _write(samples, _to_lists(batches))
        for _ in _until(timeout):
            if not samples.exists():
                return
            read = _read(_head_path(prefix))
            if read is None:
                continue
            head = _Head(*read)
            path = _note_path(prefix, process_id, head.token)
            if path not in notes:
                notes.append(path)
                _write(path, _Note(token, call))
            if token not in head.seen or head.call < call:
                # Of another run or call; or process 0 is behind and comes again.
                continue
            if head.call > call:
                raise RuntimeError(_describe_step(process_id, call, head.call))
            if head.error:
                raise RuntimeError(f"Process 0 gave up: {head.error}")
        with suppress(FileNotFoundError):
            samples.unlink()
            raise TimeoutError(
                f"Process {process_id} waited {timeout} seconds in compute for process 0 to take "
                "its samples; every process calls compute as often as the others. "
                "evaluate.load(..., timeout=) sets how many seconds to wait."
            )
    finally:
        for path in (samples, *notes):
            path.unlink(missing_ok=True)


def _describe_step(process_id: int, call: int, first_call: int) -> str:
    return (
        f"Process {process_id} is at its call {call} of compute and process 0 at its call "
        f"{first_call}; one that is ahead had an error in an earlier call. "
        "Every process has to call compute as often as the others."
    )


def _until(timeout: float) -> Iterator[None]:
    """Once at least, then every now and then until the time is over."""
    end = time.monotonic() + timeout
    yield
    while time.monotonic() < end:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
        yield


def _head_path(prefix: str) -> Path:
    return Path(f"{prefix}-0.json")


def _note_path(prefix: str, process_id: int, head_token: str) -> Path:
    return Path(f"{prefix}-{process_id}-note-{head_token}.json")


def _samples_path(prefix: str, process_id: int, token: str) -> Path:
    return Path(f"{prefix}-{process_id}-{token}.json")


def _write(path: Path, content: object) -> None:
    """Writes the file in one step: no process ever reads half of it."""
    unfinished = path.with_name(f"{path.name}.{uuid4().hex}")
    # Escaped, so that lone surrogates, which UTF-8 has no place for, arrive too.
    unfinished.write_text(json.dumps(content), "ascii")
    unfinished.replace(path)


def _read(path: Path) -> Any:
    """What was written there; None where there is no file."""
    try:
        return json.loads(path.read_text("ascii"))
    except FileNotFoundError:
        return None


def _to_lists(batches: list[Samples]) -> list[object]:
    """One batch of all, as lists: predictions, references, how many references each has."""
    if not batches:
        return [[], [], []]
    samples = concatenate_samples(batches)
    return [
        to_list(samples.predictions),
        to_list(samples.references),
        np.diff(samples.offsets).tolist(),
    ]


def _from_lists(predictions: list[str], references: list[str], counts: list[int]) -> list[Samples]:
    """What ``_to_lists`` was given, as one batch; none where there are no samples."""
    if not predictions:
        return []
    return [Samples(predictions, references, to_offsets(np.array(counts, np.int64)))]
