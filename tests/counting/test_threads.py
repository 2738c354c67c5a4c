"""The number of threads: processors, control groups, and the environment."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bleu_rouge_metric.counting import threads


@pytest.fixture(autouse=True)
def _ask_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clear the cache, so that each test asks for the processors."""
    monkeypatch.delenv("BLEU_ROUGE_THREADS", raising=False)
    threads.count_processors.cache_clear()
    yield
    threads.count_processors.cache_clear()


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder of control groups without a limit, for a machine with 64 processors."""
    monkeypatch.setattr(threads, "_GROUPS_OF_PROCESS", tmp_path / "cgroup")
    monkeypatch.setattr(threads, "_GROUPS", tmp_path / "groups")
    monkeypatch.setattr(threads, "_count_bound_processors", lambda: 64)
    return tmp_path


def write(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_without_control_groups_all_processors_count(groups: Path) -> None:
    assert not list(groups.iterdir())
    assert threads.count_threads() == 64


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("max 100000", 64),
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("50000 100000", 1),
        ("9900000 100000", 64),
        ("", 64),
        ("200000", 64),
        ("two 100000", 64),
        ("² 1", 64),
        ("200000 0", 64),
        ("0 100000", 64),
    ],
)
def test_a_quota_of_version_2_counts_rounded_up(groups: Path, limit: str, expected: int) -> None:
    (groups / "cgroup").write_text("0::/pod/app\n")
    write(groups / "groups" / "pod" / "app", cpu__max=f"{limit}\n")
    assert threads.count_threads() == expected


@pytest.mark.parametrize("above", ["groups/pod", "groups"])
def test_a_quota_of_a_group_above_counts_too(groups: Path, above: str) -> None:
    (groups / "cgroup").write_text("0::/pod/app\n")
    write(groups / "groups" / "pod" / "app", cpu__max="800000 100000\n")
    write(groups / above, cpu__max="300000 100000\n")
    # A path that is not a group and must not be read.
    write(groups, cpu__max="100000 100000\n")
    assert threads.count_threads() == 3


@pytest.mark.parametrize(("quota", "expected"), [("250000", 3), ("-1", 64)])
@pytest.mark.parametrize("path", ["cpu/docker/abc", "cpu"])
def test_a_quota_of_version_1_counts(groups: Path, quota: str, expected: int, path: str) -> None:
    # In a container the path of its group does not exist, and the top folder has its limit.
    (groups / "cgroup").write_text(
        "7:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n0::/\nbroken\n"
    )
    write(groups / "groups" / path, cpu__cfs_quota_us=quota, cpu__cfs_period_us="100000\n")
    write(groups / "groups" / "memory", cpu__cfs_quota_us="100000", cpu__cfs_period_us="100000\n")
    assert threads.count_threads() == expected


def test_a_file_of_groups_that_is_no_text_is_no_limit(groups: Path) -> None:
    (groups / "cgroup").write_bytes(b"\xff\xfe")
    assert threads.count_threads() == 64


def test_a_large_machine_has_the_most_threads(
    groups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert groups.exists()
    monkeypatch.setattr(threads, "_count_bound_processors", lambda: 5000)
    assert threads.count_threads() == threads.MOST_THREADS == 1024


@pytest.mark.skipif(sys.platform != "linux", reason="processes are bound to processors on Linux")
def test_processors_that_the_process_is_not_bound_to_do_not_count() -> None:
    bound = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(bound)})
    try:
        assert threads.count_threads() == 1
    finally:
        os.sched_setaffinity(0, bound)


@pytest.mark.parametrize(("choice", "expected"), [("1", 1), ("0007", 7), ("1024", 1024)])
def test_the_environment_chooses(
    choice: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", choice)
    assert threads.count_threads() == expected
