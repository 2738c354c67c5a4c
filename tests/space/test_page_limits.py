"""The limits of the page: small uploads need little memory and time."""

import json
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ..conftest import ROOT
from ..support.pages import OPTIONS, pair, score

# Read a file as the page does; print the message and the peak of memory in MB of this process
# and of its children.
READ = r"""
import json, re, resource, sys
from pathlib import Path
from space.files import read_samples
try:
    read_samples(Path(sys.argv[1]), (), "prediction", "reference")
    message = ""
except ValueError as reason:
    message = str(reason)
# ru_maxrss of this process would be that of the tests, which have started it.
own = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
reader = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([message, max(own, reader) / 1000]))
"""


TOO_LARGE = (
    "s.parquet needs more than 512 MB of memory to be read; score fewer rows at a time, or use the "
    "command bleu-rouge, which has no limits."
)


def read_apart(path: Path) -> tuple[str, float]:
    """Read a file in a new process; return the message and the megabytes that it took."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READ, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    message, megabytes = json.loads(done.stdout)
    return message, megabytes


def refuse(page: Any, path: Path) -> str:
    with pytest.raises(page.InputError) as caught:
        score(page, path)
    return str(caught.value)


def write_parquet(path: Path, **columns: Any) -> None:
    pq.write_table(
        pa.table(columns), path, compression="zstd", store_schema=False, write_statistics=False
    )


def repeat(text: str, rows: int) -> pa.Array:
    """Repeat one text in many rows; a Parquet file stores it once."""
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))


def test_a_small_parquet_file_of_repeats_stays_small(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    texts = repeat("a" * 180_000, 10_000)  # 3.6 GB of two columns
    write_parquet(path, prediction=texts, reference=texts)
    assert path.stat().st_size < 1100
    message, megabytes = read_apart(path)
    assert message == TOO_LARGE
    assert megabytes < 700


def test_all_texts_of_a_file_have_a_limit_together(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    texts = repeat("a" * 20_000, 10_000)  # each of the largest length
    write_parquet(path, prediction=texts, reference=texts)
    message, megabytes = read_apart(path)
    assert message == (
        "s.parquet has more than 20,000,000 characters of predictions and references; score fewer "
        "rows at a time, or use the command bleu-rouge, which has no limits."
    )
    assert megabytes < 400


def test_what_a_row_unpacks_to_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    # One list of 200,000 references of 20,000 characters: 4 GB in one row.
    texts = repeat("a" * 20_000, 200_000)
    references = pa.ListArray.from_arrays(pa.array([0, 200_000], pa.int32()), texts)
    write_parquet(path, prediction=["a"], reference=references)
    message, megabytes = read_apart(path)
    assert message == TOO_LARGE
    assert megabytes < 700


def test_other_columns_of_a_parquet_file_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    others = {f"other_{place}": repeat("a" * 100_000, 5000) for place in range(50)}  # 25 GB
    write_parquet(path, prediction=["a"] * 5000, reference=["a"] * 5000, **others)
    message, megabytes = read_apart(path)
    assert message == ""
    assert megabytes < 300


@pytest.mark.parametrize(
    ("column", "array", "message"),
    [
        (
            "reference",
            pa.array([2**30], pa.date32()),
            "s.parquet: column 'reference' is of type date32[day]; expected string or "
            "list<string>.",
        ),
        (
            "prediction",
            pa.array([2**62], pa.duration("s")),
            "s.parquet: column 'prediction' is of type duration[s]; expected string.",
        ),
        (
            "prediction",
            pa.array([["a"]]),
            "s.parquet: column 'prediction' is of type list<element: string>; expected string. "
            "Join tokens with spaces, and choose the tokenizer whitespace.",
        ),
        (
            "reference",
            pa.array([{"a": 1}]),
            "s.parquet: column 'reference' is of type struct<a: int64>; expected string or "
            "list<string>.",
        ),
        (
            "reference",
            pa.nulls(1),
            "s.parquet: column 'reference' is of type null; expected string or list<string>.",
        ),
        (
            "reference",
            pa.array([[None]], pa.list_(pa.string())),
            "s.parquet, line 1: 'reference'[0] is null; expected a text.",
        ),
    ],
)
def test_an_odd_parquet_type_is_a_message(
    page: Any, tmp_path: Path, column: str, array: pa.Array, message: str
) -> None:
    path = tmp_path / "s.parquet"
    pq.write_table(pa.table({"prediction": ["a"], "reference": ["a"]} | {column: array}), path)
    assert refuse(page, path) == message


@pytest.mark.parametrize(
    "array",
    [
        pa.array(["b"], pa.large_string()),
        pa.array(["b"]).dictionary_encode(),
        pa.array([["b"]], pa.list_(pa.string(), 1)),
        pa.array([["b"]], pa.large_list(pa.string())),
    ],
)
def test_every_parquet_type_of_texts_is_read(page: Any, tmp_path: Path, array: pa.Array) -> None:
    path = tmp_path / "s.parquet"
    pq.write_table(pa.table({"prediction": ["a"], "reference": array}), path)
    assert page.read_samples(path, (), "prediction", "reference") == (["a"], [["b"]])


def test_a_parquet_column_of_two_is_an_error(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.parquet"
    names = ["prediction", "reference", "reference"]
    pq.write_table(pa.table([pa.array(["a"])] * 3, names=names), path)
    assert refuse(page, path) == (
        "s.parquet: more than one column is named 'reference'; rename all but one of them in the "
        "file, or name another with the menus above. "
        "Columns: 'prediction', 'reference', 'reference'."
    )


def test_a_header_of_many_columns_takes_linear_time(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    header = ",".join(map(str, range(60_000)))
    path.write_text(f"{header}\na\n")
    start = time.perf_counter()
    message = refuse(page, path)
    # This takes 90 seconds if every name is searched among all names.
    assert time.perf_counter() - start < 5
    start_of_message = (
        "s.csv, line 1: no column is named 'prediction'; name one with the menus above. "
    )
    assert message.startswith(f"{start_of_message}Columns: '0', '1', ")
    assert message.endswith("…")
    assert len(message) < 600


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.csv", "prediction,reference\na,b\na," + "b," * 9_000_000),
        ("s.csv", "prediction,reference\na," + '"\n",' * 4_500_000),
        ("s.jsonl", '{"prediction": "a", "reference": "b", "c": [' + "{}," * 6_000_000 + "{}]}"),
    ],
)
def test_a_row_takes_no_memory_of_the_server(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    message, megabytes = read_apart(path)
    assert message.startswith((f"{name} needs more than 512 MB of memory", f"{name}, line "))
    assert megabytes < 700


def test_references_have_a_limit(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"prediction": "a", "reference": ["b"] * 21}))
    assert refuse(page, path) == (
        "Row 1, column 'reference': there are 21 references; this page scores up to 20 for a "
        "sample."
    )


def test_lines_have_a_limit_where_they_are_compared(page: Any) -> None:
    prediction = "\n".join(f"{number % 89:x}" for number in range(20_000))[:20_000]
    references = ["\n".join(f"{number % 97:x}" for number in range(20_000))[:20_000]] * 5
    lines = 5 * (references[0].count("\n") + 1)
    options = page.Choices(*OPTIONS)
    with_lines = options._replace(rouge_types=["rougeLsum"])
    start = time.perf_counter()
    with pytest.raises(page.InputError) as caught:
        pair(page, prediction, *references, options=with_lines)
    assert time.perf_counter() - start < 1
    assert str(caught.value) == (
        f"This pair: the prediction has 20,000 characters and the references {lines:,} lines, too "
        "many to compare line by line: this page computes rougeLsum if the one times the other is "
        "up to 4,000,000. Leave out rougeLsum, or use the command bleu-rouge, which has no limits."
    )
    pair(page, prediction, *references)


def test_when_the_time_is_over_the_page_says_so(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from space import scores

    clock = count(0, 9)  # nine seconds for every portion
    monkeypatch.setattr(scores, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(scores, "_PORTION_SAMPLES", 2)
    path = tmp_path / "s.csv"
    path.write_text("prediction,reference\n" + "a,b\n" * 10)
    assert refuse(page, path) == (
        "Scoring took more than 20 seconds and was stopped after 6 of 10 samples; score fewer "
        "samples at a time, or use the command bleu-rouge, which has no limits."
    )


def test_texts_are_counted_once(page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bleu_rouge_metric.scoring import counting

    counted: list[int] = []
    count_portions = counting.count_portions

    def record(samples: Any, *arguments: Any, **keywords: Any) -> Any:
        counted.append(len(samples.predictions))
        return count_portions(samples, *arguments, **keywords)

    monkeypatch.setattr(counting, "count_portions", record)
    path = tmp_path / "s.csv"
    path.write_text("prediction,reference\n" + "a,b\n" * 10)
    score(page, path)
    assert counted == [10]
