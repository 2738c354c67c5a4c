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


# The group of the process, quotas by folder, and the number of threads of 64 processors.
V2 = "0::/pod/app\n"
V1 = "7:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/x\n0::/\n?\n"
QUOTAS: list[tuple[str | bytes, dict[str, str], int]] = [
    ("", {}, 64),
    (b"\xff\xfe", {}, 64),
    # Version 2: rounded up; what is no quota is no limit.
    *(
        (V2, {"pod/app": f"{limit}\n"}, expected)
        for limit, expected in [
            *(("max 100000", 64), ("200000 100000", 2), ("150000 100000", 2), ("50000 100000", 1)),
            *(("9900000 100000", 64), ("", 64), ("200000", 64), ("two 100000", 64), ("² 1", 64)),
            *(("200000 0", 64), ("0 100000", 64)),
        ]
    ),
    # That of a group above counts too; what is above the groups is not read.
    *(
        (V2, {"pod/app": "800000 100000\n", above: "300000 100000\n", "..": "100000 100000\n"}, 3)
        for above in ("pod", ".")
    ),
    # Version 1. In a container the path of its group does not exist, and the top folder has its
    # limit. That of another controller does not count.
    *(
        (V1, {path: f"{quota} 100000", "memory": "100000 100000"}, expected)
        for path in ("cpu/docker/abc", "cpu")
        for quota, expected in (("250000", 3), ("-1", 64))
    ),
]


@pytest.mark.parametrize(("group", "quotas", "expected"), QUOTAS)
def test_quotas_of_control_groups(
    groups: Path, group: str | bytes, quotas: dict[str, str], expected: int
) -> None:
    (groups / "cgroup").write_bytes(group.encode() if isinstance(group, str) else group)
    for path, quota in quotas.items():
        folder = groups / "groups" / path
        folder.mkdir(parents=True, exist_ok=True)
        if group == V1:
            for name, text in zip(("quota", "period"), quota.split(), strict=True):
                (folder / f"cpu.cfs_{name}_us").write_text(text)
        else:
            (folder / "cpu.max").write_text(quota)
    assert threads.count_threads() == expected


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
