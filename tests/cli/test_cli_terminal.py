"""What files and arguments hold does not steer the terminal, wherever the command shows it."""

import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric.cli import main

from ..support.processes import Terminal, terminal

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.usefixtures("own_folder")

# Columns of systems are CSV, in which a carriage return is an error.
ATTACKS = {
    "escapes": (
        "\x1b]0;evil\x07"  # title
        "\x1b[2J\x1b[H\x1b[8m"  # clear, hide
        "\x1b]52;c;ZXZpbA==\x07\x1bP0;0|17/ab\x1b\\"  # clipboard, device control
        "\x9b2J\x9d0;evil\x9c"  # the same of C1
        "\u202etxt.live\u202c\u2067\u2066evil\u2069\u2069"  # direction
        "good\b\b\b\bevil\x7f\x7f\x0b\x0c\x1c\x85"
    ),
    "carriage return": "good\revil",
}
FORMATS = ("table", "csv", "markdown", "latex")
# The characters that tables and lines may have, beside those of words.
DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def show(terminal: Terminal, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """Return what the command writes to a terminal, without the colours of its own tables."""
    monkeypatch.setattr(sys, "argv", ["bleu-rouge", *arguments])
    monkeypatch.setattr(sys, "stdout", terminal.stream)
    monkeypatch.setattr(sys, "stderr", terminal.stream)
    with pytest.raises(SystemExit):
        main()
    # The heads of tables are bold; a bracketed piece of an explanation has a colour.
    shown = re.sub(r"\x1b\[(?:0|1|3[0-7])m", "", terminal.read_all())
    return shown.replace("\r\n", "\n")


def list_steering(text: str) -> list[str]:
    return [
        character
        for character in text
        if character in DIRECTIONS
        or (unicodedata.category(character) == "Cc" and character != "\n")
    ]


def write_files(text: str) -> None:
    """Write files that have a text as a label, as the name of a system and of a score."""
    rows = [
        {"prediction": "a cat sat", "reference": "a cat sat", "topic": text, "mixed": text},
        {"prediction": "a dog", "reference": "a cat", "topic": "1", "mixed": 1},
    ]
    tables: dict[str, list[Any]] = {
        "a.jsonl": rows,
        "b.jsonl": [{"old": "a cat sat", text: "a cat", "new": "a", "reference": "a cat sat"}] * 2,
    }
    for name, lines in tables.items():
        Path(name).write_text("".join(json.dumps(row) + "\n" for row in lines), "utf-8")
    scores = {text: {"old": [0.5, 0.5], "new": [0.5, 0.6]}}
    Path("scores.json").write_text(json.dumps(scores), "utf-8")
    cell = f"prediction,reference\n\"['{text} ']\",b\n"
    Path("a.csv").write_text(cell, "utf-8", newline="")


LABEL = "score a.jsonl --prediction-column prediction --group-by"
SYSTEM = "compare b.jsonl --rouge-type rouge1 --system-columns"
# A {} stands for the text. The last explains a text without cutting it into pieces.
PLACES: dict[str, str] = {
    **{f"label in {each}": f"{LABEL} topic --format {each}" for each in FORMATS},
    **{f"system in {each}": f"{SYSTEM} old,{{}} --format {each}" for each in FORMATS},
    "label of another kind": f"{LABEL} mixed",
    "score": f"{SYSTEM} old,new --scores scores.json",
    "missing file": "score {}.txt b.txt",
    "cell": "score a.csv",
    "flag": "score a.txt --{}",
    "command": "{}.txt",
    "value of an option": "score a.txt b.txt --format {}",
    "explained text": "explain a_{}_cat a_{} --family rouge --tokenizer whitespace",
}


def show_place(place: str, text: str, *more: object) -> str:
    write_files(text)
    words = [
        word.replace("_", " ") if "explain" in place else word for word in PLACES[place].split()
    ]
    return show(*more, *(word.replace("{}", text) for word in words))  # type: ignore[arg-type]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_data_steer_the_terminal(
    attack: str, place: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"name{ATTACKS[attack]}"
    shown = show_place(place, text, terminal, monkeypatch)
    assert "name" in shown
    assert list_steering(shown) == []


WORDS = "-".join(
    [
        *("می\u200cخواهم", "क्\u200dष", "שלום\u200f!", "ไทย\u200bไทย", "für", "我爱你"),
        *("👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "é", "a\u00adb"),
    ]
)


@pytest.mark.parametrize(
    "place", ["label in table", "label in csv", "system in table", "missing file", "explained text"]
)
def test_words_and_emoji_are_shown_as_they_are(
    place: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert WORDS in show_place(place, WORDS, terminal, monkeypatch)


def test_a_pipe_gets_data_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\x1b]0;evil\x07"
    write_files(text)
    arguments = [*LABEL.split(), "topic", "--format", "csv", "--rouge-type", "rouge1"]
    monkeypatch.setattr(sys, "argv", ["bleu-rouge", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert f"rouge1,1.0,{text}\n" in capsys.readouterr().out
