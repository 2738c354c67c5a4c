"""Files as people have them: ``cases.jsonl`` has one case per line, read in one way by this test.

A case has ``files`` by name: a text, the rows of JSON Lines, or an object that says how the content
is made. ``read`` gives files to ``read_systems``; what is expected is an ``error``, or ``samples``,
``labels`` and ``warnings``. ``command`` gives arguments to the command, ``output`` what it prints.
"""

import bz2
import csv
import gzip
import io
import json
import lzma
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest
from pyarrow import parquet

from bleu_rouge_metric.files.input import FileError
from bleu_rouge_metric.files.samples import read_systems

from ..support.commands import invoke
from ..support.sample_writers import give_stdin

pytestmark = pytest.mark.usefixtures("own_folder")

CASES: Final = [
    json.loads(line)
    for line in Path(__file__).with_name("cases.jsonl").read_text("utf-8").splitlines()
]

_COMPRESS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
}


def encode(content: Any) -> bytes:
    """Return the bytes of a file of a case."""
    if isinstance(content, str | list):
        rows = (f"{json.dumps(row)}\n" for row in content)
        return (content if isinstance(content, str) else "".join(rows)).encode()
    kind, value = next(iter(content.items()))
    if kind in _COMPRESS:
        return _COMPRESS[kind](encode(value))[: content.get("cut")]
    if kind == "csv":
        file = io.StringIO(newline="")
        csv.writer(file).writerows(value)
        return file.getvalue().encode()
    if kind == "parquet":
        types = {name: pa.string() for name in value} if content.get("strings") else {}
        table = {name: pa.array(cells, types.get(name)) for name, cells in value.items()}
        stream = pa.BufferOutputStream()
        parquet.write_table(pa.table(table), stream)
        packed: bytes = stream.getvalue().to_pybytes()
        return packed
    if kind == "hex":
        return bytes.fromhex(value)
    text, encoding = (json.dumps(value, indent=1), "utf-8") if kind == "json" else (value, kind)
    return bytes(text, encoding)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_case(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in case["files"].items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(encode(content))
    stdin = Path(case["stdin"]).read_bytes() if "stdin" in case else None
    if "command" in case:
        assert invoke(*case["command"], stdin=stdin).output == case["output"]
        return
    if stdin is not None:
        give_stdin(monkeypatch, stdin)
    (path, references), options = case["read"], case.get("options", {})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = read_systems([path], references, is_comparison=False, **options)
        except FileError as error:
            message = str(error)
            assert message.startswith(case.get("error_start", message))
            assert case.get("error", message) == message
            assert "samples" not in case, message
            return
    assert [str(one.message) for one in caught] == case.get("warnings", [])
    (samples,) = found.systems.values()
    assert [list(one) for one in samples.by_sample()] == case["samples"]
    assert list(found.labels.values()) == ([case["labels"]] if "labels" in case else [])
