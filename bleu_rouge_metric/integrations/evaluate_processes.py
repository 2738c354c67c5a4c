"""Gather the samples of several processes in process 0, through files in a shared folder.

This is for ``evaluate.load(..., num_process=, process_id=)``. The Arrow files of evaluate's own
base class do not replace it: unless something else synchronizes the processes, evaluate 0.4.6
scores samples of different calls of ``compute`` together and loses others, and a process without
samples is an error on all. Here:

* process 0 writes a head file with a token that is new for every call;
* every other process writes its samples, and then a note that answers this token and says where the
  samples are;
* process 0 writes into its head file which notes it has seen, and removes the samples as soon as it
  has the samples of all processes. Only then do the other processes return.

So a file of an earlier call, or of a killed run, never counts as a file of this call, and all
processes wait for each other, up to a time limit. Runs that share a folder need different names,
as in evaluate: its ``experiment_id``. Files that a killed process left behind are removed when a
process runs again with the same name and number.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

from ..samples.inputs import Samples, check_samples
from .evaluate_files import ProcessFiles, is_token

_SECONDS_BETWEEN_LOOKS: Final = 0.01


class _Head(NamedTuple):
    """What process 0 publishes for the other processes.

    Attributes:
        token: token of this call of process 0.
        call: how many calls of ``compute`` process 0 has begun.
        seen: tokens of the notes that process 0 has seen.
        error: why process 0 gave up; empty if it did not.
    """

    token: str
    call: int
    seen: list[str]
    error: str = ""


class _Note(NamedTuple):
    """The answer of another process to a head.

    Attributes:
        token: token of the process's own call; part of the path of its samples.
        call: how many calls of ``compute`` the process has begun.
        size: size of the file of its samples, in bytes.
    """

    token: str
    call: int
    size: int


def gather_samples(
    batches: list[Samples],
    prefix: str,
    *,
    process_id: int,
    num_process: int,
    call: int,
    timeout: float,
) -> list[Samples] | None:
    """Return the batches of all processes, in their order, to process 0; return None to the others.

    Args:
        batches: batches of this process; may be empty.
        prefix: prefix of the paths of the files; the same for every process.
        process_id: number of this process, at least 0 and below ``num_process``.
        num_process: how many processes there are.
        call: how many calls of ``compute`` this process has begun.
        timeout: how many seconds to wait for the other processes.

    Raises:
        TimeoutError: another process did not answer.
        RuntimeError: another process is in another call or gave up, or two runs share the files.
    """
    files = ProcessFiles(prefix, process_id)
    if process_id:
        _hand_over(batches, files, process_id, call, timeout)
        return None
    head = _Head(uuid4().hex, call, [])
    files.write(files.head, head)
    try:
        files.remove_leftovers(files.head)
        collected = _collect(files, num_process, head, timeout)
    except BaseException as error:
        files.write(files.head, head._replace(error=str(error) or type(error).__name__))
        raise
    return [*batches, *(batch for samples in collected for batch in samples)]


def _collect(
    files: ProcessFiles, num_process: int, head: _Head, timeout: float
) -> list[list[Samples]]:
    """Collect the batches of the other processes, in their order."""
    collected: dict[int, list[Samples]] = {}
    paths: dict[int, Path] = {}
    missing = list(range(1, num_process))
    for _ in _until(timeout):
        for process_id, note in _read_notes(files, missing, head).items():
            if note.call > head.call:
                raise RuntimeError(_describe_step(process_id, note.call, head.call))
            path = files.samples(process_id, note.token)
            # A process that is behind sees this in the head, and answers again in its next call.
            if note.call == head.call:
                samples = files.read(path, _from_lists, note.size)
                if samples is not None:
                    collected[process_id] = samples
                    paths[process_id] = path
        missing = [process_id for process_id in missing if process_id not in collected]
        for process_id, path in paths.items():
            if not path.exists():
                raise RuntimeError(_describe_withdrawal(process_id))
        if not missing:
            _remove(paths)
            return [collected[process_id] for process_id in range(1, num_process)]
        theirs = files.read(files.head, _to_head)
        if theirs is not None and theirs.token != head.token:
            raise RuntimeError(
                f"Another process 0 writes to {files.head}; "
                "give each run its own experiment_id in evaluate.load."
            )
    names = ", ".join(map(str, missing))
    raise TimeoutError(
        f"Process 0 waited {timeout} seconds in compute for the samples of process {names}; all "
        "processes must call compute equally often, also a process without samples. "
        "evaluate.load(..., timeout=) sets how many seconds to wait."
    )


def _read_notes(files: ProcessFiles, processes: list[int], head: _Head) -> dict[int, _Note]:
    """Read the notes for this head, by process; publish in the head that they were seen."""
    read = {index: files.read(files.note(index, head.token), _to_note) for index in processes}
    notes = {index: note for index, note in read.items() if note is not None}
    new = [note.token for note in notes.values() if note.token not in head.seen]
    if new:
        head.seen.extend(new)
        files.write(files.head, head)
    return notes


def _remove(paths: dict[int, Path]) -> None:
    """Remove the samples, so that all processes return; raise RuntimeError if some are missing."""
    process_id = 0
    try:
        for process_id, path in paths.items():  # noqa: B007 - the last is the one withdrawn
            path.unlink()
    except FileNotFoundError:
        raise RuntimeError(_describe_withdrawal(process_id)) from None


def _hand_over(
    batches: list[Samples], files: ProcessFiles, process_id: int, call: int, timeout: float
) -> None:
    """Offer the batches until process 0 has taken the samples of all processes."""
    token = uuid4().hex
    samples = files.samples(process_id, token)
    notes: list[Path] = []
    try:
        size = files.write(samples, _to_lists(batches))
        files.remove_leftovers(samples)
        for _ in _until(timeout):
            if not samples.exists():
                return
            head = files.read(files.head, _to_head)
            if head is None:
                continue
            path = files.note(process_id, head.token)
            if path not in notes:
                notes.append(path)
                files.write(path, _Note(token, call, size))
            if token not in head.seen or head.call < call:
                # The head is of another run or call, or process 0 is behind and will come again.
                continue
            if head.call > call:
                raise RuntimeError(_describe_step(process_id, call, head.call))
            if head.error:
                raise RuntimeError(f"Process 0 gave up: {head.error}")
        with suppress(FileNotFoundError):
            samples.unlink()
            raise TimeoutError(
                f"Process {process_id} waited {timeout} seconds in compute for process 0 to take "
                "its samples; all processes must call compute equally often. "
                "evaluate.load(..., timeout=) sets how many seconds to wait."
            )
    finally:
        for path in (samples, *notes):
            path.unlink(missing_ok=True)


def _describe_withdrawal(process_id: int) -> str:
    return f"Process {process_id} gave up waiting for the others in compute."


def _describe_step(process_id: int, call: int, first_call: int) -> str:
    return (
        f"Process {process_id} is at its call {call} of compute and process 0 at its call "
        f"{first_call}; the process that is ahead had an error in an earlier call. "
        "All processes must call compute equally often."
    )


def _until(timeout: float) -> Iterator[None]:
    """Yield at least once, then repeatedly with short pauses until the time is over."""
    end = time.monotonic() + timeout
    yield
    while time.monotonic() < end:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
        yield


def _to_head(content: Any) -> _Head:
    """Make a head of the content of a file; raise ValueError or TypeError if it is not one."""
    head = _Head(*content)
    tokens_are_right = is_token(head.token) and isinstance(head.seen, list)
    if not (tokens_are_right and all(map(is_token, head.seen)) and _is_count(head.call)):
        raise ValueError
    if not isinstance(head.error, str):
        raise TypeError
    return head


def _to_note(content: Any) -> _Note:
    """Make a note of the content of a file; raise ValueError or TypeError if it is not one."""
    note = _Note(*content)
    if not (is_token(note.token) and _is_count(note.call) and _is_count(note.size)):
        raise ValueError
    return note


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _to_lists(batches: list[Samples]) -> list[list[Any]]:
    """Convert the batches to two lists: the predictions, and the references of each."""
    samples = [sample for batch in batches for sample in batch.by_sample()]
    return [[prediction for prediction, _ in samples], [texts for _, texts in samples]]


def _from_lists(content: Any) -> list[Samples]:
    """Convert the lists of ``_to_lists`` back to one batch, or to none if they are empty.

    Raises:
        ValueError: the content has another form.
        TypeError: the content has another form.
    """
    predictions, references = content
    if predictions == references == []:
        return []
    samples = check_samples(predictions, references)
    if samples.are_ids:
        raise TypeError
    return [samples]
