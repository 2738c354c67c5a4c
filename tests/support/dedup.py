"""Files and calls of ``bleu-rouge dedup`` for its tests."""

import json
from pathlib import Path

from click.testing import Result

from .commands import invoke

TEXTS = ["Name a colour.", "Sum 1 and 2.", "Name one colour.", "Löse 我 x y z.", "Sum 1 and 3."]
KEPT, REJECTED, NEAREST = [0, 1, 3], [2, 4], [0, 1]
FLAGS = ("--threshold", "0.6")
SUMMARY = "bleu-rouge: kept 3 of 5 texts; counted 8 of 8 pairs.\n"
# Every line is JSON in another form, which the command must not change.
LINES = [
    f'{{"id": 1.50, "text": {json.dumps(TEXTS[0])}}}\n',
    f'{{"text":{json.dumps(TEXTS[1])} , "id": 2}}  \n',
    f'{{"text": {json.dumps(TEXTS[2])}}}\r\n',
    f'{{"text": {json.dumps(TEXTS[3], ensure_ascii=False)}, "other": null}}\n',
    f'{{"text": {json.dumps(TEXTS[4])}, "id": 5}}',
]


def write_inputs() -> None:
    """Write the texts to ``a.jsonl`` and ``a.txt`` in the current folder."""
    Path("a.jsonl").write_text("".join(LINES), "utf-8", newline="")
    Path("a.txt").write_text("\n".join(TEXTS), "utf-8")


def dedup(*arguments: str, stdin: bytes | None = None) -> Result:
    """Run the command, which must succeed."""
    result = invoke("dedup", *arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return result
