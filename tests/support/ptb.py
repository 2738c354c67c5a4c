"""Captions with everything that ``ptb`` treats in its own way, and the Java program for them."""

import importlib
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
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
    r"""Return the tokens of each text, without punctuation.

    Does as ``PTBTokenizer.tokenize``, which starts Java once per call.

    Args:
        texts: without the line separators that shift the captions after them, and without a tag
            that a text leaves open.
        apart: whether a neutral caption is between any two texts.
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
        done = subprocess.run(
            [
                "java",
                "-Dfile.encoding=UTF-8",
                "-cp",
                jar,
                program,
                "-preserveLines",
                "-lowerCase",
                path,
            ],
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            capture_output=True,
            check=True,
        )
    printed = done.stdout.decode().split("\n")
    if apart:
        assert printed[1 : 2 * len(texts) : 2] == [_BETWEEN] * len(texts), (
            "a caption shifted others"
        )
        printed = printed[::2]
    punctuation = {*wrapper.PUNCTUATIONS, ""}
    return [
        [token for token in line.rstrip().split(" ") if token not in punctuation]
        for line in printed[: len(texts)]
    ]


_PLAIN: Final = """
    a the two man woman dog cat child street kitchen beach table red small wooden standing riding
    sits on with near while next to of in front holding looking at
"""
# Words by what is special about them.
KINDS: Final = {
    "contractions": """
        don't can't won't isn't he's she'd they'll we've I'm dog's dogs' cannot gonna wanna gimme
        y'all 'tis 'twas rock 'n' roll 'em 'til 'cause o'clock O'Neil ma'am c'mon d'oeuvre l'heure
        don’t it’s they’re CAN'T Cannot
    """,
    "abbreviations": """
        Mr. Mrs. Dr. St. Ave. U.S. U.K. a.m. p.m. e.g. i.e. etc. vs. Inc. Corp. Ltd. Jan. Sept. Fri.
        Ph.D. J. K. no. No. fig. pp. Tex. Mass. approx. U.S.A. Jr. Sgt. Blvd.
    """,
    "numbers": """
        7 12 1,250 3.75 .5 -4 +3 1/2 3/4 10:45 2nd 31st 4x4 20km 2.5m 50% $20 $1.50 £5 €12 5¢ ¥9 #3
        '80s 1990s '97 1½ ¾ m² 12-15 100 200 3000 1-800-555-0199 2⁄4
    """,
    "dates": "12/24/2019 2020-06-30 24.12.2019 Dec. 24 Sat. 5th 9/11 1/2/03 10-11-12",
    "addresses": """
        www.example.com http://example.org/a?b=1 https://example.net example.com/map me@example.org
        photo.jpg notes.txt @someone #sunset #2 index.html
    """,
    "smileys": """
        :) ;-) :D :( =) ^_^ (^_^) <3 :-P <br> <b> </b> &amp; &quot; &lt; &nbsp; &eacute;
    """,
    "joined": """
        well-known mother-in-law 20-year-old t-shirt U.S.-made and/or he/she AT&T R&D c++ C# a_b
        brown-and-white anti- x- black/white dog.The stop!now yes?no
    """,
    "letters": """
        café naïve Übung женщина 猫が座る חתול قطة बिल्ली แมว e\u0301te\u0301 so\u00adfa ΣΟΦΟΣ İzmir
        😀 ™ °
    """,
}
_MARKS: Final = """
    . . . , , ! ? : ; ... .... .. !! ?! - -- --- – — … / \\ * ** _ + = ~ | % & # @
"""
# Between pieces: mostly a space; with kinds of white space that the program treats differently.
_SEPARATORS: Final = [
    *([" "] * 6), *("", "  ", "\t", "\u00a0", " \u00a0"),
    *("\u2003", "\u202f", "\u2060", "\u3000", "\u0085"),
]  # fmt: skip
_PAIRS: Final = """ "" '' ‘’ “” «» „“ () [] {} <> """


def make_captions(count: int, seed: int = 1) -> list[str]:
    """Return captions as people write them, most with one or two special words."""
    return _make(_write_caption, count, seed)


def make_hard_lines(count: int, seed: int = 1) -> list[str]:
    """Return lines of special words, marks and single characters that are often not separated."""
    return _make(_write_hard_line, count, seed)


def _make(write: Callable[[random.Random], str], count: int, seed: int) -> list[str]:
    source = random.Random(seed)
    return [write(source) for _ in range(count)]


def _pick(source: random.Random, words: str) -> str:
    return source.choice(words.split())


def _pick_special(source: random.Random) -> str:
    word = _pick(source, source.choice([*KINDS.values()]))
    return source.choice([word] * 6 + [word.upper(), word.capitalize()])


def _write_caption(source: random.Random) -> str:
    words = [_pick(source, _PLAIN) for _ in range(source.randint(3, 12))]
    for _ in range(source.randint(0, 2)):
        words.insert(source.randint(0, len(words)), _pick_special(source))
    if source.random() < 0.3:
        pair = _pick(source, _PAIRS)
        start = source.randrange(len(words))
        end = source.randrange(start, len(words))
        words[start] = pair[0] + words[start]
        words[end] += pair[1]
    if source.random() < 0.3:
        words[source.randrange(len(words))] += _pick(source, _MARKS)
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
        return _pick(source, _PLAIN)
    if kind < 0.75:
        return _pick_special(source)
    return _pick(source, _MARKS + _PAIRS + "''. !)")
