"""Words chosen to collide in a hash table with fixed keys, which the kernel once had.

The compiled kernel then combined each half of a word of up to 16 bytes with a constant, and folded
the product of both to get a slot; for a longer word it hashed 8-byte pieces in the same way.
Whoever knows the constants can find words for the same few slots among random words.
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

# The chosen words get only this many of all slots.
_CHOSEN_SLOTS: Final = 64
_SLOTS: Final = 1 << 15


def list_random_words(count: int, pieces: int = 1) -> list[str]:
    """List distinct random words of 8 letters per piece."""
    return _spell(_draw(np.random.default_rng(1), count, pieces))


def list_chosen_words(count: int, pieces: int = 1) -> list[str]:
    """List distinct words of the same length that all get one of 64 slots out of 32,768."""
    generator = np.random.default_rng(2)
    chosen: list[str] = []
    while len(chosen) < count:
        words = _draw(generator, 1 << 20, pieces)
        slots = _hash_words(words) % np.uint64(_SLOTS)
        chosen += _spell(words[slots < _CHOSEN_SLOTS])
    return chosen[:count]


def list_counted_words(count: int) -> list[str]:
    """List numbers that count up, which are very similar words."""
    return [f"{number:08d}" for number in range(count)]


def list_words_alike_but_for_the_end(count: int) -> list[str]:
    """List long words that differ only in their last letters."""
    return [f"{'x' * 40}{number:08d}" for number in range(count)]


# Each kind of chosen words, with a function that makes a given number of them.
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
    """Compute the 128-bit product and combine its halves by xor, as the kernel did."""
    left, right = left ^ _LEFT, right ^ _RIGHT
    low = (left & _LOW) * (right & _LOW)
    first = (left >> _HALF) * (right & _LOW) + (low >> _HALF)
    second = (left & _LOW) * (right >> _HALF) + (first & _LOW)
    high = (left >> _HALF) * (right >> _HALF) + (first >> _HALF) + (second >> _HALF)
    folded: Words = high ^ (second << _HALF | (low & _LOW))
    return folded
