"""Files of other processes are not trusted: links, pipes, corrupt files, files of other users."""

import json
import multiprocessing
import os
import stat
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from .test_processes import (
    Processes,
    describe,
    expect,
    list_files,
    list_finished,
    make_metric,
    make_texts,
)

HEAD = "rounds-2-0.json"
TOKEN = "0123456789abcdef" * 2
REMEDY = (
    "so no process of this run wrote it; remove it, or give evaluate.load another experiment_id or "
    "cache_dir."
)


def start_first(tmp_path: Path) -> tuple["Future[Any]", Path, str]:
    """Start process 0, which waits for process 1; return its call, the folder, and its token."""
    processes = Processes(2, tmp_path, timeout=20)
    folder = Path(processes.metrics[0].data_dir)
    call = processes.start(0, 0)
    while not (folder / HEAD).exists():
        time.sleep(0.01)
    return call, folder, json.loads((folder / HEAD).read_text())[0]


def run_second(tmp_path: Path, prepare: Callable[[Path], None]) -> tuple[Any, Path]:
    """Run process 1 with another file instead of the head; return its result and the path."""
    processes = Processes(2, tmp_path, timeout=20)
    head = Path(processes.metrics[1].data_dir) / HEAD
    prepare(head)
    return describe(processes.start(1, 0)), head


def test_a_token_that_is_a_path_overwrites_and_removes_nothing(tmp_path: Path) -> None:
    victim = tmp_path / "victim.json"
    victim.write_text("precious")

    def prepare(head: Path) -> None:
        folder = head.with_name("rounds-2-1-note-x")
        folder.mkdir()
        way = os.path.relpath(victim.with_suffix(""), folder)
        head.write_text(json.dumps([f"x/{way}", 1, [], ""]))

    found, head = run_second(tmp_path, prepare)
    assert victim.read_text() == "precious"
    assert found == ("RuntimeError", f"{head} holds something else, {REMEDY}")


def test_a_note_that_names_another_file_removes_nothing(tmp_path: Path) -> None:
    victim = tmp_path / "victim.json"
    victim.write_text("[[], []]")
    call, folder, token = start_first(tmp_path)
    way = folder / "rounds-2-1-x"
    way.mkdir()
    note = folder / f"rounds-2-1-note-{token}.json"
    other = os.path.relpath(victim.with_suffix(""), way)
    note.write_text(json.dumps([f"x/{other}", 1, 8]))
    assert describe(call) == ("RuntimeError", f"{note} holds something else, {REMEDY}")
    assert victim.read_text() == "[[], []]"


def _link(head: Path) -> None:
    target = head.with_name("target.json")
    target.write_text(json.dumps([TOKEN, 1, [], ""]))
    head.symlink_to(target)


def _make_sparse(head: Path) -> None:
    with head.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.parametrize(
    ("prepare", "problem"),
    [
        (os.mkfifo, "is not a regular file"),
        (_link, "cannot be read (Too many levels of symbolic links)"),
        (Path.mkdir, "cannot be read (Is a directory)"),
        (_make_sparse, "has 1,099,511,627,776 bytes, expected at most 16,777,216"),
    ],
)
def test_what_is_no_file_of_a_process_is_an_error(
    tmp_path: Path, prepare: Callable[[Path], None], problem: str
) -> None:
    found, head = run_second(tmp_path, prepare)
    assert found == ("RuntimeError", f"{head} {problem}, {REMEDY}")


@pytest.mark.parametrize(
    "content",
    [
        "",
        f'["{TOKEN}", 1, [], "',
        "[" * 100_000,
        "{}",
        "3",
        "\x80",
        f'["{TOKEN}"]',
        f'["{TOKEN}\\n", 1, [], ""]',
        f'["{TOKEN}", -1, [], ""]',
        f'["{TOKEN}", true, [], ""]',
        f'["{TOKEN}", 1, [3], ""]',
        f'["{TOKEN}", 1, "", ""]',
        f'["{TOKEN}", 1, [], 3]',
        f'["{TOKEN}", 1, [], "", 5]',
        f'["{TOKEN}", {"1" * 5000}, [], ""]',
    ],
)
def test_a_corrupt_file_is_an_error(tmp_path: Path, content: str) -> None:
    def prepare(head: Path) -> None:
        head.write_bytes(content.encode("latin-1"))

    found, head = run_second(tmp_path, prepare)
    assert found == ("RuntimeError", f"{head} holds something else, {REMEDY}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another user")
def test_a_file_of_another_user_is_an_error(tmp_path: Path) -> None:
    def prepare(head: Path) -> None:
        head.write_text(json.dumps([TOKEN, 1, [], ""]))
        os.chown(head, 12345, 12345)

    found, head = run_second(tmp_path, prepare)
    assert found == ("RuntimeError", f"{head} belongs to another user, {REMEDY}")


@pytest.mark.parametrize(
    ("samples", "size", "problem"),
    [
        ('[["a"], ["b"]', 16, "has 13 bytes, expected 16"),
        ('[["a"], ["b"]', 13, "holds something else"),
        ('[["a"], ["b", "c"]]', 19, "holds something else"),
        ('[["a"], [[]]]', 13, "holds something else"),
        ('[["a"], [[3]]]', 14, "holds something else"),
        ('[["a"], []]', 11, "holds something else"),
        ('[["a"], {"a": "b"}]', 19, "holds something else"),
        ('["a", "b"]', 10, "holds something else"),
        ('[["a"], ["b"], [1]]', 19, "holds something else"),
        ("[[[1]], [[2]]]", 14, "holds something else"),
        ("[null, null]", 12, "holds something else"),
        ("[[], {}]", 8, "holds something else"),
    ],
)
def test_corrupt_samples_are_an_error(
    tmp_path: Path, samples: str, size: int, problem: str
) -> None:
    call, folder, token = start_first(tmp_path)
    path = folder / f"rounds-2-1-{TOKEN}.json"
    path.write_text(samples)
    note = folder / f"rounds-2-1-note-{token}.json"
    unfinished = note.with_suffix(".part")
    unfinished.write_text(json.dumps([TOKEN, 1, size]))
    unfinished.replace(note)
    assert describe(call) == ("RuntimeError", f"{path} {problem}, {REMEDY}")


def test_a_folder_that_cannot_be_written_to_is_an_error(tmp_path: Path) -> None:
    processes = Processes(2, tmp_path, timeout=20)
    head = Path(processes.metrics[0].data_dir) / HEAD
    head.mkdir()
    assert describe(processes.start(0, 0)) == (
        "RuntimeError",
        f"{head} cannot be written (Is a directory); give evaluate.load a cache_dir that this user "
        "can write to and that has space left.",
    )
    assert list_files(tmp_path) == []


def test_a_link_in_place_of_the_head_is_replaced_and_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    processes = Processes(2, tmp_path)
    head = Path(processes.metrics[0].data_dir) / HEAD
    head.symlink_to(victim)
    first = processes.start(0, 0)
    # Process 1 refuses the link if it reads it before process 0 has replaced it.
    while head.is_symlink():
        time.sleep(0.01)
    processes.start(1, 0)
    assert describe(first) == expect(2, 0)
    assert victim.read_text() == "precious"


def _compute(process_id: int, folder: Path) -> None:
    make_metric(process_id, 2, folder).compute(**make_texts(process_id, 0))


def test_files_are_private_and_those_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    folder = Path(make_metric(0, 2, tmp_path).data_dir)
    assert Processes(2, tmp_path).run(2)[0] == expect(2, 2)
    process = multiprocessing.get_context("spawn").Process(target=_compute, args=(1, tmp_path))
    process.start()
    while len(list_finished(tmp_path)) < 3:  # the head of the run before, samples, a note
        time.sleep(0.01)
    process.kill()
    process.join()
    left = list_files(tmp_path)
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    # An incomplete write; files of other runs and of another kind; and a folder.
    (folder / f"rounds-2-0.json.{TOKEN}").touch()
    (folder / f"rounds-2-1-note-{TOKEN}.json.{TOKEN}").touch()
    others = [
        *(f"rounds-3-1-{TOKEN}.json", f"rounds-2-11-{TOKEN}.json", f"other-2-1-{TOKEN}.json"),
        *(f"rounds-2-1-{TOKEN[1:]}.json", f"rounds-2-1-note-{TOKEN}.txt"),
    ]
    for name in others:
        (folder / name).touch()
    assert Processes(2, tmp_path).run(0) == [expect(2, 0), None]
    assert len(left) == 3
    assert list_files(tmp_path) == sorted([HEAD, *others])
