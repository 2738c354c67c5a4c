"""The file of ``--per-sample``: it is written completely or not at all, never over an input."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bleu_rouge_metric.scoring.scorer import Scorer

from ..support.commands import command, error, invoke, score

pytestmark = pytest.mark.usefixtures("examples_folder")

FILES = ("predictions.txt", "references.txt")
OLD = "what took a week to compute\n"
HEADER = "index,sentence_bleu,rouge1,rouge2,rougeL,rougeLsum"
SUFFIXES = [".csv", ".tsv.gz", ".jsonl", ".parquet"]


def run_with(statement: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    """Run a statement of Python and then the command in a new process."""
    code = f"import os, resource, signal, sys\n{statement}\n"
    code += "from bleu_rouge_metric.cli import main\nmain()\n"
    process = [sys.executable, "-c", code, "score", *arguments]
    return subprocess.run(process, capture_output=True, check=False)


def assert_untouched(name: str) -> None:
    """Check that the old file is unchanged and that no other file remains."""
    assert Path(name).read_text() == OLD
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_old_file_stays_if_the_disk_is_full(suffix: str) -> None:
    name = f"scores{suffix}"
    Path(name).write_text(OLD)
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))"
    done = run_with(limit, *FILES, "--per-sample", name)
    message = f"bleu-rouge: {name}: cannot be written: "
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(message)
    assert done.stderr.decode().endswith("File too large.\n")
    assert_untouched(name)


def test_an_old_file_stays_after_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: Scorer, **__: object) -> None:
        raise KeyboardInterrupt

    Path("scores.csv").write_text(OLD)
    monkeypatch.setattr(Scorer, "result", interrupt)
    result = invoke("score", *FILES, "--per-sample", "scores.csv")
    assert (result.exit_code, result.output) == (130, "bleu-rouge: interrupted.\n")
    assert_untouched("scores.csv")


@pytest.mark.parametrize(
    ("name", "status", "line"),
    [("SIGINT", 130, b"bleu-rouge: interrupted.\n"), ("SIGTERM", 143, b"")],
)
def test_an_old_file_stays_if_a_signal_comes_while_the_new_one_is_written(
    name: str, status: int, line: bytes
) -> None:
    Path("scores.csv").write_text(OLD)
    # The buffer is empty: the new file has the whole content.
    statement = f"os.fsync = lambda file: os.kill(os.getpid(), signal.{name})\n"
    statement += "signal.signal(signal.SIGINT, signal.default_int_handler)"
    done = run_with(statement, *FILES, "--per-sample", "scores.csv")
    assert (done.returncode, done.stdout, done.stderr) == (status, b"", line)
    assert_untouched("scores.csv")


def test_an_input_is_never_the_output() -> None:
    before = Path("samples.jsonl").read_bytes()
    Path("link.jsonl").symlink_to("samples.jsonl")
    Path("hard.jsonl").hardlink_to("samples.jsonl")
    message = "the file is one of those to score; it would be overwritten."
    for name in ("samples.jsonl", "./samples.jsonl", "link.jsonl", "hard.jsonl"):
        for inputs in (["samples.jsonl"] * 2, ["hard.jsonl", "link.jsonl"]):
            assert error(*inputs, "--per-sample", name) == f"bleu-rouge: {name}: {message}"
    for options in (["-", "references.txt"], ["predictions.txt", "-"]):
        for name in ("samples.jsonl", "hard.jsonl"):
            with Path("samples.jsonl").open("rb") as stdin:
                done = subprocess.run(
                    command("score", *options, "--per-sample", name),
                    stdin=stdin,
                    capture_output=True,
                    check=False,
                )
            assert (done.returncode, done.stdout) == (2, b"")
            assert done.stderr.decode() == f"bleu-rouge: {name}: {message}\n"
    assert Path("samples.jsonl").read_bytes() == before


def test_the_scores_and_those_of_every_sample_go_to_two_files() -> None:
    with Path("scores.csv").open("wb") as stdout:
        done = subprocess.run(
            command("score", *FILES, "--per-sample", "scores.csv"),
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
        )
    message = b"bleu-rouge: scores.csv: standard output goes to the same file; give another.\n"
    assert (done.returncode, done.stderr) == (2, message)
    assert Path("scores.csv").read_bytes() == b""


def test_a_new_file_has_the_mode_that_the_umask_leaves() -> None:
    umask = os.umask(0o027)
    try:
        score(*FILES, "--per-sample", "scores.csv")
    finally:
        os.umask(umask)
    assert Path("scores.csv").stat().st_mode & 0o777 == 0o640


def test_a_file_that_replaces_another_has_its_mode_and_keeps_links_to_it() -> None:
    Path("kept").mkdir()
    Path("kept/scores.csv").write_text(OLD)
    Path("kept/scores.csv").chmod(0o604)
    Path("link.csv").symlink_to("kept/scores.csv")
    score(*FILES, "--per-sample", "link.csv")
    assert str(Path("link.csv").readlink()) == "kept/scores.csv"
    assert Path("kept/scores.csv").read_text().startswith(HEADER)
    assert Path("kept/scores.csv").stat().st_mode & 0o777 == 0o604
    # Writing to a link to a missing file creates this file.
    Path("new.csv").symlink_to("kept/new.csv")
    score(*FILES, "--per-sample", "new.csv")
    assert Path("kept/new.csv").read_text() == Path("kept/scores.csv").read_text()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_what_may_not_be_written_is_an_error_before_any_score() -> None:
    Path("scores.csv").touch(mode=0o444)
    message = "bleu-rouge: scores.csv: cannot be written: Permission denied."
    assert error(*FILES, "--per-sample", "scores.csv") == message


def test_a_folder_is_no_file_to_write() -> None:
    Path("scores.csv").mkdir()
    message = "bleu-rouge: scores.csv: cannot be written: Is a directory."
    assert error(*FILES, "--per-sample", "scores.csv") == message


def test_the_scores_go_into_a_named_pipe() -> None:
    os.mkfifo("scores.csv")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("scores.csv").read_text()))
    reader.start()
    score(*FILES, "--per-sample", "scores.csv")
    reader.join()
    assert read[0].startswith(HEADER)
    assert Path("scores.csv").is_fifo()


def test_the_scores_of_every_sample_go_to_standard_output_by_a_link() -> None:
    Path("scores.csv").symlink_to("/dev/stdout")
    done = subprocess.run(
        command("score", *FILES, "--per-sample", "scores.csv", "--format", "csv"),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().startswith(HEADER)
    assert b"\nbleu," in done.stdout
    assert Path("scores.csv").is_symlink()
