"""``bleu-rouge score --engine ray``: the same numbers, messages and files as without Ray."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bleu_rouge_metric.cli.ray_engine import check_address
from bleu_rouge_metric.files.input import FileError

from ..conftest import require
from ..support.commands import error, invoke, score, score_json
from ..support.engine_cases import UNDER_ENGINES
from ..support.ray_runs import (  # noqa: F401 - two are fixtures
    RAY,
    RAY_ROWS,
    start_ray,
    write_data,
)
from ..support.shard_files import write_rows

pytestmark = [*UNDER_ENGINES, pytest.mark.usefixtures("own_folder")]

ONE = ("all.jsonl", "all.jsonl")
ELSEWHERE = (
    "predictions and references are read from the same files here; give data alone, and name its "
    "columns with --prediction-column and --reference-column."
)


@pytest.mark.parametrize(
    "flags",
    [
        (),
        ("--confidence", "0.9", "--n-resamples", "50", "--seed", "3"),
        ("--profile", "sacrebleu", "--signature"),
        ("--family", "rouge", "--rouge-type", "rougeW", "--detailed"),
        ("--no-aggregator", "--sentence-bleu"),
        ("--group-by", "topic"),
    ],
)
@pytest.mark.usefixtures("ray", "data")
def test_the_scores_are_those_of_one_process(flags: tuple[str, ...]) -> None:
    rows = [{**row, "topic": index**2 % 7} for index, row in enumerate(RAY_ROWS)]
    write_rows("data/a.parquet", rows[:250], group=60)
    write_rows("data/b.jsonl", rows[250:])
    write_rows("all.jsonl", rows)
    found = score_json(*RAY, *flags)
    assert found == score_json(*ONE, *flags)
    assert list(found.get("groups", ())) == ["0", "1", "4", "2"] * ("--group-by" in flags)


@pytest.mark.usefixtures("ray", "data")
def test_the_scores_of_every_sample_are_in_the_order_of_the_files() -> None:
    score(*RAY, "--per-sample", "ray.csv")
    score(*ONE, "--per-sample", "one.csv")
    assert Path("ray.csv").read_bytes() == Path("one.csv").read_bytes()
    assert len(Path("ray.csv").read_text().splitlines()) == 1 + len(RAY_ROWS)


@pytest.mark.usefixtures("ray", "data")
def test_the_first_error_in_a_worker_is_one_line() -> None:
    bad = {"prediction": None, "reference": "a"}
    write_rows("data/b.jsonl", [*RAY_ROWS[:300], bad, *RAY_ROWS[300:], bad])
    line = error(*RAY)
    assert line == error("data/b.jsonl", "data/b.jsonl")
    assert line.startswith("bleu-rouge: data/b.jsonl:301: 'prediction' is null; expected")


@pytest.mark.usefixtures("ray", "data")
def test_texts_that_lose_all_tokens_are_one_warning() -> None:
    write_rows("data/c.jsonl", [{"prediction": "кошка", "reference": "кот"}] * 400)
    result = invoke("score", *RAY, "--family", "rouge")
    assert result.exit_code == 0
    assert result.stderr == (
        "bleu-rouge: warning: The 'rouge' tokenizer leaves nothing of the prediction or of a "
        "reference in 400 of 1,000 samples (40%), so that nothing there can match; use "
        "--rouge-tokenizer unicode, which finds the words of every language, or 'char' to count "
        "characters that are not letters or digits.\n"
    )


@pytest.mark.usefixtures("ray", "data")
def test_sentences_on_one_line_are_one_warning() -> None:
    rows = [{"prediction": "It rained. It stopped.", "reference": "One. Two."}] * 600
    write_rows("data/b.jsonl", rows)
    Path("data/a.parquet").unlink()
    rouge = ("--family", "rouge")
    line = invoke("score", *RAY, *rouge).stderr
    assert line == invoke("score", "data/b.jsonl", "data/b.jsonl", *rouge).stderr
    assert line.startswith(
        "bleu-rouge: warning: rougeLsum: one sentence per line is expected, but no text has a"
    )
    # One newline anywhere means that lines are sentences.
    rows[-1] = {"prediction": "It rained.\nIt stopped.", "reference": "One. Two."}
    write_rows("data/b.jsonl", rows)
    assert invoke("score", *RAY, *rouge).stderr == ""


@pytest.mark.parametrize("references", [("other",), ("data", "data")])
def test_references_in_other_files_are_an_error(references: tuple[str, ...]) -> None:
    line = f"bleu-rouge: {references[0]}: {ELSEWHERE}"
    assert error("data", *references, "--engine", "ray") == line


@pytest.mark.usefixtures("data")
def test_one_place_may_be_written_in_several_ways() -> None:
    for references in ("data/", "./data", "link"):
        Path("link").unlink(missing_ok=True)
        Path("link").symlink_to("data")
        assert score_json("data", references) == score_json("data")


@pytest.mark.usefixtures("data")
def test_what_ray_cannot_read_or_would_overwrite_is_an_error() -> None:
    require("ray")
    Path("empty.jsonl").touch()
    before = Path("data/a.parquet").read_bytes()
    for arguments, line in (
        (("-", "-"), "<stdin>: standard input cannot be read by several processes; give files."),
        (("empty.jsonl",), "empty.jsonl: there are no samples; expected at least one."),
        (
            ("data", "--per-sample", "data/a.parquet"),
            "data/a.parquet: the file is one of those to score; it would be overwritten.",
        ),
    ):
        assert error(*arguments, "--engine", "ray") == f"bleu-rouge: {line}"
    assert Path("data/a.parquet").read_bytes() == before


@pytest.mark.usefixtures("data")
def test_without_ray_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert error(*RAY) == (
        "bleu-rouge: --engine ray needs the package ray. Install it with: "
        'pip install "bleu-rouge-metric[ray]"'
    )


@pytest.mark.usefixtures("data")
def test_without_an_engine_ray_is_not_imported() -> None:
    code = (
        "import sys; from bleu_rouge_metric.cli.command import app\n"
        "app(['score', 'all.jsonl', 'all.jsonl'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('ray', 'pyspark')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.splitlines()[-1] == b"[]"


def test_a_cluster_that_does_not_answer_is_an_error_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for address in (f"127.0.0.1:{port}", f"ray://localhost:{port}", "auto", "local", ""):
            check_address(address)
    for address, reason in (
        (f"127.0.0.1:{port}", "Connection refused."),
        (f"ray://127.0.0.1:{port}", "Connection refused."),
        ("127.0.0.1:99999", ""),
    ):
        start = re.escape(f"RAY_ADDRESS={address}: the cluster cannot be reached: {reason}")
        with pytest.raises(FileError, match=f"^{start}"):
            check_address(address)
