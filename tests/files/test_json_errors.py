"""JSON and JSON Lines that cannot be read: each error names the line."""

from pathlib import Path

import pytest

from bleu_rouge_metric.files.lines import FileError
from bleu_rouge_metric.files.shards import list_files, make_shared_choices, plan_shards

from ..support.sample_writers import error_of_bytes

pytestmark = pytest.mark.usefixtures("own_folder")

TOKENS = "Join tokens with spaces, and choose the tokenizer whitespace."

OBJECT_OF_LINES = (
    "the JSON object does not end in its line; expected JSON Lines, one object or text a line. "
    "Objects become that with: jq -c ."
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'"a"\n\n', "2: the line is empty; expected a JSON value."),
        (b'"a"\n{"x" 1}\n', "2: not valid JSON: Expecting ':' delimiter (column 6)."),
        (b'"a"\n{"x": 1\n', "2: " + OBJECT_OF_LINES),
        (b'{\n  "prediction": "a"\n}\n', "1: " + OBJECT_OF_LINES),
        (b'{"prediction": "a"}\n{"x": "b"}\n', "2: the object has no 'prediction'."),
        (b'{"prediction": "a"}\n"b"\n', "2: the line is a text; expected an object, as in line 1."),
        (b'{"prediction": "a"}\n[1]\n', "2: the line is a list; expected an object, as in line 1."),
        (
            b'{"prediction": "a"}\n{"prediction": null}\n',
            "2: 'prediction' is null; expected a text. Fill it in, or leave the sample out.",
        ),
        (b'{"prediction": 5}\n', "1: 'prediction' is 5; expected a text."),
        (b'{"prediction": NaN}\n', "1: 'prediction' is NaN; expected a text."),
        (b'{"prediction": true}\n', "1: 'prediction' is true; expected a text."),
        (b'{"prediction": ["a"]}\n', f"1: 'prediction' is a list; expected a text. {TOKENS}"),
        (b'{"prediction": [1]}\n', "1: 'prediction' is a list; expected a text."),
        (b'"a"\n{"prediction": "b"}\n', "2: the line is an object; expected a text."),
        (b'"a"\n3.5\n', "2: the line is 3.5; expected a text."),
        (b"[" * 1_000_000, "1: the JSON value is nested too deeply."),
        (b'{"x": ' + b"9" * 5000 + b"}\n", "1: a number in the JSON value is too long."),
        (
            b'{"x": "a", "y": "b"}\n',
            "1: no column is named 'prediction' or 'predictions'; "
            "name one with --prediction-column. Columns: 'x', 'y'.",
        ),
        (
            b"{}\n",
            "1: no column is named 'prediction' or 'predictions'; "
            "name one with --prediction-column. Columns: none.",
        ),
    ],
)
def test_bad_json_lines_are_named_with_their_line(content: bytes, message: str) -> None:
    assert error_of_bytes("a.jsonl", content) == f"a.jsonl:{message}"


@pytest.mark.parametrize(
    "content",
    [
        b'[{"prediction": "a"}]\n',
        b'["a", "b"]',
        b"[]\n",
        b'[\n  {"prediction": "a"},\n  {"prediction": "b"}\n]\n',
        b'[{"prediction": "a"},\n{"prediction": "b"}]\n',
    ],
)
def test_a_json_array_is_not_json_lines(content: bytes) -> None:
    message = (
        "1: the line begins a JSON array; expected JSON Lines, one object or text a line. "
        "An array of samples becomes that with: jq -c '.[]'"
    )
    assert error_of_bytes("a.jsonl", content) == f"a.jsonl:{message}"
    # An array cannot be cut into shards.
    Path("a.json").write_bytes(content)
    with pytest.raises(FileError) as caught:
        plan_shards(list_files("a.json"), make_shared_choices("a.json"))
    assert str(caught.value) == f"a.json:{message}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]\n", ": the file has no samples; expected at least one."),
        (b'["a",\n "b"', ":2: not valid JSON: Expecting ',' delimiter (column 5)."),
        (b'["a"\n "b"]', ":2: not valid JSON: Expecting ',' delimiter (column 2)."),
        (b'["a",\n]', ":2: not valid JSON: Expecting value (column 1)."),
        (b'["a",\n', ":2: not valid JSON: Expecting value (column 1)."),
        (b'["a"]\n["b"]\n', ":2: not valid JSON: Extra data (column 1)."),
        (b'\n["a",\n\n5]', ":4: the item is 5; expected a text."),
        (b'["a", {"prediction": "b"}]', ":1: the item is an object; expected a text."),
        (b'[["a"]]', f":1: the item is a list; expected a text. {TOKENS}"),
        (
            b'[{"prediction": "a"},\n "b"]',
            ":2: the item is a text; expected an object, as in item 1.",
        ),
        (b'[{"prediction": "a"},\n {"x": "b"}]', ":2: the object has no 'prediction'."),
        (b"[" * 1_000_000, ":1: the JSON value is nested too deeply."),
        (b"[" + b"9" * 5000 + b"]", ":1: a number in the JSON value is too long."),
    ],
)
def test_a_bad_json_array_is_named_with_the_line(content: bytes, message: str) -> None:
    assert error_of_bytes("a.json", content) == f"a.json{message}"
