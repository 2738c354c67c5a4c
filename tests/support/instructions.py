"""Instructions: the pool of Self-Instruct if it is beside the clone, and variants of our own."""

import json
import random
from functools import cache
from typing import Final

import pytest

from ..conftest import ROOT

POOL: Final = ("Write a story about bees.", "Sort these words by length.", "What is a good name?")
_PATH: Final = ROOT.parent / "shared" / "data_pairs" / "instructions_seed.jsonl"

needs_instructions = pytest.mark.skipif(
    not _PATH.exists(), reason="the instructions are not at ../shared/data_pairs"
)


@cache
def read_instructions() -> list[str]:
    """Return the 175 instructions."""
    lines = _PATH.read_text("utf-8").splitlines()
    return [json.loads(line)["instruction"] for line in lines]


def vary_texts(count: int, seed: int) -> list[str]:
    """Generate variants of three instructions, some of them near duplicates of others."""
    generator = random.Random(seed)
    words = [*"ABC", *" ".join(POOL).split()]
    texts = []
    for _ in range(count):
        rate = generator.choice([0.1, 0.3, 0.9])
        tokens = generator.choice(POOL).split() * generator.choice([1, 1, 2])
        varied = [
            generator.choice(words) if generator.random() < rate else token for token in tokens
        ]
        texts.append(" ".join(varied[: generator.randint(1, len(varied))]))
    return texts
