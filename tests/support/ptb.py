"""Captions with everything that ``ptb`` treats in its own way, and the Java program for them."""

import importlib
import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

from ..conftest import REQUIRES_ALL, require

# Characters that end a caption early, so that all captions after it are shifted.
SEPARATORS: Final = frozenset("\r\v\f\u2028\u2029")

# Between any two texts there is this line, because the program looks at the next caption: with it,
# a text is followed by a caption that begins neither a sentence nor a number.
_BETWEEN: Final = "zzz"


@cache
def _import_wrapper() -> ModuleType:
    """Return the module of the wrapper; skip the test if it or Java is missing."""
    if shutil.which("java") is None and not REQUIRES_ALL:
        pytest.skip("the tokenizer of pycocoevalcap needs java")
    require("pycocoevalcap")
    return importlib.import_module("pycocoevalcap.tokenizer.ptbtokenizer")


def tokenize_with_java(texts: Sequence[str], *, apart: bool = True) -> list[list[str]]:
    """Return the tokens of each text, without punctuation, as ``PTBTokenizer.tokenize`` does.

    Texts have no line separators that shift captions, and no open tag. If they are not ``apart``,
    the program looks at the next one.
    """
    wrapper = _import_wrapper()
    lines = [text.replace("\n", " ") for text in texts]
    if apart:
        lines = [line for caption in lines for line in (caption, _BETWEEN)]
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "captions")
        path.write_bytes("\n".join(lines).encode())
        jar = Path(str(wrapper.__file__)).parent / wrapper.STANFORD_CORENLP_3_4_1_JAR
        program = "edu.stanford.nlp.process.PTBTokenizer"
        command = ["java", "-Dfile.encoding=UTF-8", "-cp", str(jar), program]
        done = subprocess.run(
            [*command, "-preserveLines", "-lowerCase", str(path)],
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            capture_output=True,
            check=True,
        )
    printed = done.stdout.decode().split("\n")
    if apart:
        # Otherwise a caption has shifted others.
        assert printed[1 : 2 * len(texts) : 2] == [_BETWEEN] * len(texts)
        printed = printed[::2]
    punctuation = {*wrapper.PUNCTUATIONS, ""}
    return [
        [token for token in line.rstrip().split(" ") if token not in punctuation]
        for line in printed[: len(texts)]
    ]


# Words by what is special about them; each of ``KINDS`` is a kind that the program treats apart.
WORDS: Final[dict[str, list[str]]] = {
    kind: words.split()
    for kind, words in json.loads(Path(__file__).with_name("ptb.json").read_text("utf-8")).items()
}
KINDS: Final = [kind for kind in WORDS if kind not in ("plain", "marks", "pairs")]
# Between pieces: mostly a space; with kinds of white space that the program treats differently.
_SEPARATORS: Final = [
    *([" "] * 6), *("", "  ", "\t", "\u00a0", " \u00a0"),
    *("\u2003", "\u202f", "\u2060", "\u3000", "\u0085"),
]  # fmt: skip


def make_captions(count: int, seed: int = 1) -> list[str]:
    """Return captions as people write them, most with one or two special words."""
    source = random.Random(seed)
    return [_write_caption(source) for _ in range(count)]


def make_hard_lines(count: int, seed: int = 1) -> list[str]:
    """Return lines of special words, marks and single characters that are often not separated."""
    source = random.Random(seed)
    return [_write_hard_line(source) for _ in range(count)]


def _pick_special(source: random.Random) -> str:
    word = source.choice(WORDS[source.choice(KINDS)])
    return source.choice([word] * 6 + [word.upper(), word.capitalize()])


def _write_caption(source: random.Random) -> str:
    words = [source.choice(WORDS["plain"]) for _ in range(source.randint(3, 12))]
    for _ in range(source.randint(0, 2)):
        words.insert(source.randint(0, len(words)), _pick_special(source))
    if source.random() < 0.3:
        pair = source.choice(WORDS["pairs"])
        start = source.randrange(len(words))
        end = source.randrange(start, len(words))
        words[start] = pair[0] + words[start]
        words[end] += pair[1]
    if source.random() < 0.3:
        words[source.randrange(len(words))] += source.choice(WORDS["marks"])
    if source.random() < 0.6:
        words[0] = words[0].capitalize()
    return " ".join(words) + source.choice(["", " ", ".", ".", " .", "!", "..."])


def _write_hard_line(source: random.Random) -> str:
    if source.random() < 0.2:
        characters = "aBsé日1.-'/:,!& ()\"’@#$<>_+x0s tn\u00ad\u00a0"
        return "".join(source.choices(characters, k=source.randint(2, 14)))
    pieces = [_pick_piece(source) for _ in range(source.randint(1, 9))]
    return "".join(piece + source.choice(_SEPARATORS) for piece in pieces)


def _pick_piece(source: random.Random) -> str:
    kind = source.random()
    if kind < 0.2:
        return source.choice(WORDS["plain"])
    if kind < 0.75:
        return _pick_special(source)
    return source.choice([*WORDS["marks"], *WORDS["pairs"], "''.", "!)"])
