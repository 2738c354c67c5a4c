"""Words chosen to collide in a hash table whose keys are fixed, as those of the kernel once were.

The compiled kernel then put a word of up to 16 bytes into the slot that the folded product of its
halves gave, each combined with a constant, and a longer one by the same hash of its 8-byte pieces.
Whoever knows the constants finds words for the same few slots among random ones.
"""

from collections.abc import Callable
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]  # shape (words, 8-byte pieces)

_LEFT: Final = np.uint64(0x9E3779B97F4A7C15)
_RIGHT: Final = np.uint64(0xD1B54A32D192ED03)
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)

# The chosen words fall into so many of so many slots.
_CHOSEN_SLOTS: Final = 64
_SLOTS: Final = 1 << 15


def list_random_words(count: int, pieces: int = 1) -> list[str]:
    """Distinct random words of 8 letters a piece."""
    return _spell(_draw(np.random.default_rng(1), count, pieces))


def list_chosen_words(count: int, pieces: int = 1) -> list[str]:
    """Distinct words as long as those, all in 64 of 32,768 slots; ``pieces`` is 1, 2 or more."""
    generator = np.random.default_rng(2)
    chosen: list[str] = []
    while len(chosen) < count:
        words = _draw(generator, 1 << 20, pieces)
        slots = _hash_words(words) % np.uint64(_SLOTS)
        chosen += _spell(words[slots < _CHOSEN_SLOTS])
    return chosen[:count]


def list_counted_words(count: int) -> list[str]:
    """Words that count up, as alike as words can be."""
    return [f"{number:08d}" for number in range(count)]


def list_words_alike_but_for_the_end(count: int) -> list[str]:
    """Long words with all but their last letters in common."""
    return [f"{'x' * 40}{number:08d}" for number in range(count)]


# What each kind of chosen words is, and how to make as many as asked for.
CHOSEN: Final[dict[str, Callable[[int], list[str]]]] = {
    "of 8 letters": list_chosen_words,
    "of 16 letters": lambda count: list_chosen_words(count, 2),
    "of 24 letters": lambda count: list_chosen_words(count, 3),
    "that count up": list_counted_words,
    "alike but for their end": list_words_alike_but_for_the_end,
}


def _draw(generator: np.random.Generator, count: int, pieces: int) -> Words:
    letters = generator.integers(ord("a"), ord("z") + 1, (count, 8 * pieces), dtype=np.uint8)
    words: Words = np.unique(letters.view("<u8"), axis=0) if count < _SLOTS else letters.view("<u8")
    return generator.permutation(words)


def _spell(words: Words) -> list[str]:
    spelled = words.tobytes().decode("ascii")
    length = 8 * words.shape[1]
    return list(dict.fromkeys(spelled[at : at + length] for at in range(0, len(spelled), length)))


def _hash_words(words: Words) -> Words:
    pieces = list(words.T)
    if len(pieces) == 1:
        return _mix(pieces[0], np.zeros_like(pieces[0]))
    if len(pieces) == 2:
        return _mix(pieces[0], pieces[1])

    def add(low: Words, item: tuple[int, Words]) -> Words:
        index, piece = item
        return _mix(low ^ piece, np.full_like(piece, 8 * index))

    return _mix(reduce(add, enumerate(pieces), np.zeros_like(pieces[0])), pieces[-1])


def _mix(left: Words, right: Words) -> Words:
    """The product of 128 bits with both halves combined by xor, as the kernel had it."""
    left, right = left ^ _LEFT, right ^ _RIGHT
    low = (left & _LOW) * (right & _LOW)
    first = (left >> _HALF) * (right & _LOW) + (low >> _HALF)
    second = (left & _LOW) * (right >> _HALF) + (first & _LOW)
    high = (left >> _HALF) * (right >> _HALF) + (first >> _HALF) + (second >> _HALF)
    folded: Words = high ^ (second << _HALF | (low & _LOW))
    return folded
