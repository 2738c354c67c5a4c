"""Files that the command writes: completely or not at all, and never over an input."""

import os
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bleu_rouge_metric.scoring.scorer import Scorer

from ..support.commands import LINES, command, error, invoke, run_in_process, score, write_inputs

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("predictions.txt", "references.txt")
OLD = "what took a week to compute\n"
HEADER = "index,sentence_bleu,rouge1,rouge2,rougeL,rougeLsum"
DEDUP = ("dedup", "a.jsonl", "--threshold", "0.6")
# Arguments of commands that write files, and these files.
WRITERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    **{
        suffix: (("score", *FILES, "--per-sample", f"each{suffix}"), (f"each{suffix}",))
        for suffix in (".csv", ".tsv.gz", ".jsonl", ".parquet")
    },
    "dedup": (
        (*DEDUP, "--output", "kept.jsonl", "--rejected", "rejected.jsonl"),
        ("kept.jsonl", "rejected.jsonl"),
    ),
    "pick": (("pick", "groups.jsonl", "--output", "picked.jsonl"), ("picked.jsonl",)),
}


@pytest.fixture(autouse=True)
def _files(examples_folder: None) -> None:  # noqa: ARG001
    write_inputs()
    Path("groups.jsonl").write_text('{"candidates": ["a b", "a c"]}\n')


def write_old(names: tuple[str, ...]) -> None:
    for name in names:
        Path(name).write_text(OLD)


def assert_untouched(names: tuple[str, ...]) -> None:
    """Check that the old files are unchanged and that no other file remains."""
    assert [Path(name).read_text() for name in names] == [OLD] * len(names)
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("writer", WRITERS)
def test_old_files_stay_if_the_disk_is_full(writer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Python 3.10 would keep the beginning of a module that it compiles under the limit.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    arguments, names = WRITERS[writer]
    write_old(names)
    # Of dedup, only the rejected records are too many.
    Path("a.jsonl").write_text("".join(LINES[:1]) * 9, "utf-8")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16 if writer == "pick" else 64, limits[1]))
    try:
        result = invoke(*arguments)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"bleu-rouge: {names[-1]}: cannot be written: ")
    assert result.stderr.endswith("File too large.\n")
    assert_untouched(names)


@pytest.mark.parametrize(
    ("writer", "name", "status", "line"),
    [("dedup", "SIGINT", 130, b"bleu-rouge: interrupted.\n"), (".csv", "SIGTERM", 143, b"")],
)
def test_old_files_stay_if_a_signal_comes_while_new_ones_are_written(
    writer: str, name: str, status: int, line: bytes
) -> None:
    arguments, names = WRITERS[writer]
    write_old(names)
    # The new file, of dedup the last one that is opened, has the whole content.
    # What Python calls after the signal.
    code = "import os, signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += f"number = signal.{name}\n"
    code += "os.fsync = lambda file: signal.getsignal(number)(number, None)\n"
    code += "from bleu_rouge_metric.cli import main\nmain()\n"
    process = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(process, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", line)
    assert_untouched(names)


def test_an_input_is_never_the_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path("samples.jsonl").read_bytes()
    Path("link.jsonl").symlink_to("samples.jsonl")
    Path("hard.jsonl").hardlink_to("samples.jsonl")
    message = "the file is one of those to score; it would be overwritten."
    for name in ("samples.jsonl", "./samples.jsonl", "link.jsonl", "hard.jsonl"):
        for inputs in (["samples.jsonl"] * 2, ["hard.jsonl", "link.jsonl"]):
            assert error(*inputs, "--per-sample", name) == f"bleu-rouge: {name}: {message}"
    for inputs in (["-", "references.txt"], ["predictions.txt", "-"]):
        arguments = ("score", *inputs, "--per-sample", "hard.jsonl")
        with Path("samples.jsonl").open(encoding="utf-8") as stdin:
            run_in_process(monkeypatch, *arguments, status=2, stdin=stdin)
        assert capsys.readouterr() == ("", f"bleu-rouge: hard.jsonl: {message}\n")
    assert Path("samples.jsonl").read_bytes() == before

    arguments = ("score", *FILES, "--per-sample", "scores.csv")
    with Path("scores.csv").open("w") as stdout:
        run_in_process(monkeypatch, *arguments, status=2, stdout=stdout)
    line = "bleu-rouge: scores.csv: standard output goes to the same file; give another.\n"
    assert capsys.readouterr().err == line
    assert Path("scores.csv").read_bytes() == b""


def test_a_file_that_replaces_another_has_its_mode_and_keeps_links_to_it() -> None:
    Path("kept").mkdir()
    Path("kept/scores.csv").write_text(OLD)
    Path("kept/scores.csv").chmod(0o604)
    Path("link.csv").symlink_to("kept/scores.csv")
    score(*FILES, "--per-sample", "link.csv")
    assert str(Path("link.csv").readlink()) == "kept/scores.csv"
    assert Path("kept/scores.csv").read_text().startswith(HEADER)
    assert Path("kept/scores.csv").stat().st_mode & 0o777 == 0o604
    # Writing to a link to a missing file creates this file, with the mode that the umask leaves.
    Path("new.csv").symlink_to("kept/new.csv")
    umask = os.umask(0o027)
    try:
        score(*FILES, "--per-sample", "new.csv")
    finally:
        os.umask(umask)
    assert Path("kept/new.csv").read_text() == Path("kept/scores.csv").read_text()
    assert Path("kept/new.csv").stat().st_mode & 0o777 == 0o640


def test_a_pipe_and_a_link_to_standard_output_are_written_directly() -> None:
    os.mkfifo("scores.csv")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("scores.csv").read_text()))
    reader.start()
    score(*FILES, "--per-sample", "scores.csv")
    reader.join()
    assert read[0].startswith(HEADER)
    assert Path("scores.csv").is_fifo()
    Path("link.csv").symlink_to("/dev/stdout")
    arguments = command("score", *FILES, "--per-sample", "link.csv", "--format", "csv")
    printed = subprocess.run(arguments, capture_output=True, check=True).stdout
    assert printed.decode().startswith(HEADER)
    assert b"\nbleu," in printed
    assert Path("link.csv").is_symlink()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written_is_an_error_before_any_score(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(Scorer, "update_counts")
    Path("scores.csv").touch(mode=0o444)
    message = "bleu-rouge: scores.csv: cannot be written: Permission denied."
    assert error(*FILES, "--per-sample", "scores.csv") == message
