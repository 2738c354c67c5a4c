"""Run the Java program of pycocoevalcap's ``PTBTokenizer`` on many texts with one start."""

import importlib
import os
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
