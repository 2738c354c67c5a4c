"""What files and arguments hold does not steer the terminal, wherever the command shows it."""

import json
import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from bleu_rouge_metric.cli import main

from ..support.terminals import Terminal, terminal

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.usefixtures("own_folder")

ATTACKS = {
    "title": "\x1b]0;evil\x07",
    "clear": "\x1b[2J\x1b[H",
    "hidden": "\x1b[8m",
    "clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "device control": "\x1bP0;0|17/ab\x1b\\",
    "C1": "\x9b2J\x9d0;evil\x9c",
    "bidi override": "\u202etxt.live\u202c",
    "bidi isolate": "\u2067\u2066evil\u2069\u2069",
    "backspace": "good\b\b\b\bevil",
    "carriage return": "good\revil",
    "delete": "\x7f\x7f",
    "form feed": "\x0b\x0c\x1c\x85",
}
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


def write_samples(label: str, kind: type = str) -> list[str]:
    rows = [
        {"prediction": "a cat sat", "reference": "a cat sat", "topic": label},
        {"prediction": "a dog", "reference": "a cat", "topic": kind(1)},
    ]
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return ["a.jsonl", "--group-by", "topic"]


def write_systems(name: str) -> list[str]:
    rows = [{"old": "a cat sat", name: "a cat", "reference": "a cat sat"}] * 2
    Path("a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return ["compare", "a.jsonl", "--system-columns", f"old,{name}", "--rouge-type", "rouge1"]


def write_scores(name: str) -> list[str]:
    scores = {name: {"old": [0.5, 0.5], "new": [0.5, 0.6]}}
    Path("scores.json").write_text(json.dumps(scores), "utf-8")
    return [*write_systems("new"), "--scores", "scores.json"]


def write_cell(text: str) -> list[str]:
    Path("a.csv").write_text(f"prediction,reference\n\"['{text} ']\",b\n", "utf-8", newline="")
    return ["score", "a.csv"]


# Explains a text without cutting it into pieces.
WHOLE = ("--family", "rouge", "--tokenizer", "whitespace")
PLACES: dict[str, Callable[[str], list[str]]] = {
    "label": lambda text: ["score", *write_samples(text)],
    "label in CSV": lambda text: ["score", *write_samples(text), "--format", "csv"],
    "label in Markdown": lambda text: ["score", *write_samples(text), "--format", "markdown"],
    "label in LaTeX": lambda text: ["score", *write_samples(text), "--format", "latex"],
    "label of another kind": lambda text: ["score", *write_samples(text, int)],
    "system": write_systems,
    "system in CSV": lambda text: [*write_systems(text), "--format", "csv"],
    "system in Markdown": lambda text: [*write_systems(text), "--format", "markdown"],
    "system in LaTeX": lambda text: [*write_systems(text), "--format", "latex"],
    "score": write_scores,
    "missing file": lambda text: ["score", f"{text}.txt", "b.txt"],
    "cell": write_cell,
    "flag": lambda text: ["score", "a.txt", f"--{text}"],
    "command": lambda text: [f"{text}.txt"],
    "value of an option": lambda text: ["score", "a.txt", "b.txt", "--format", text],
    "explained text": lambda text: ["explain", f"a {text} cat", f"a {text}", *WHOLE],
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_no_data_steer_the_terminal(
    attack: str, place: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"name{ATTACKS[attack]}"
    shown = show(terminal, monkeypatch, *PLACES[place](text))
    assert "name" in shown
    assert list_steering(shown) == []


@pytest.mark.parametrize(
    "text",
    [
        *("می\u200cخواهم", "क्\u200dष", "שלום\u200f!", "ไทย\u200bไทย", "für", "我爱你"),
        *("👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "é", "a\u00adb"),
    ],
)
@pytest.mark.parametrize(
    "place", ["label", "label in CSV", "system", "missing file", "explained text"]
)
def test_words_and_emoji_are_shown_as_they_are(
    text: str, place: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert text in show(terminal, monkeypatch, *PLACES[place](text))


def test_a_pipe_gets_data_as_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ATTACKS["title"]
    arguments = ["score", *write_samples(text), "--format", "csv", "--rouge-type", "rouge1"]
    monkeypatch.setattr(sys, "argv", ["bleu-rouge", *arguments])
    with pytest.raises(SystemExit):
        main()
    assert f"rouge1,1.0,{text}\n" in capsys.readouterr().out
