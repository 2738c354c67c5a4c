"""Values of every option, samples to score with them, and few combinations that have every pair."""

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from bleu_rouge_metric import schema
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.schema import Option


def split_words(text: str) -> list[str]:
    """Split a text as a caller's tokenizer might."""
    return text.replace("-", " - ").split()


def split_halves(run: str) -> list[str]:
    """Split a run of text as a caller's segmenter might."""
    middle = len(run) // 2
    return [part for part in (run[:middle], run[middle:]) if part]


def split_at_stops(text: str) -> list[str]:
    """Split a text into sentences as a caller's splitter might."""
    return [part for part in text.split(".") if part.strip()]


_VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "tokenizer": ("rouge", "whitespace", "unicode", "ids"),
    "language": ("en", "Hindi", "de_DE"),
    "segmenter": ("jieba", split_halves),
    "bleu_tokenizer": (
        *("13a", "char", "intl", "zh", "nltk", "mteval-v11a", "ptb", "unicode", "ids"),
        split_words,
    ),
    "max_order": (1, 3, 6),
    "min_order": (2, 3),
    "weights": ((0.25, 0.75), (0.5, 0.25, 0.25, 0.0), ((1.0,), (0.5, 0.5))),
    "smooth_value": (0.5, 2),
    "rouge_types": (
        ("rouge1", "rougeL"),
        ("rougeLsum", "rougeW-1.2", "rouge2"),
        ("rougeSU4", "rougeS", "rouge1"),
        ("rougeW-1.5",),
    ),
    "rouge_tokenizer": (
        *("rouge-1.5.5", "char", "xlsum", "grapheme", "unicode", "korouge", "google-adk", "ids"),
        split_words,
    ),
    "use_stemmer": (True, "german"),
    "stemmer_exceptions": (str(Path(__file__).parent / "plurals.exc"),),
    "stop_words": (("the", "on"),),
    "word_limit": (1, 4),
    "byte_limit": (5, 12),
    "sentence_splitter": ("pysbd", split_at_stops),
    "beta": (0.5, 2, math.inf),
    "n_resamples": (3, 20),
    "confidence": (0.5, 0.99),
    "ignore_index": (-1, 3),
    "pad": (0, (0, 3)),
    "eos": (1, (1, 4)),
    "separator": (2,),
}


def list_values(option: Option) -> tuple[Any, ...]:
    """Return values of an option: all, if they are few; a new option needs a line above."""
    if option.name in _VALUES:
        return _VALUES[option.name]
    if option.kind is schema.FLAG:
        return (True, False)
    assert option.choices, f"{option.name} has no values in {__file__}; give it some"
    return (*option.choices, True) if option.kind is schema.SMOOTHING else option.choices


VALUES: Final = {name: list_values(option) for name, option in OPTIONS.items()}

# Predictions and references, by what is special about them.
TEXTS: Final[dict[str, tuple[list[Any], list[Any]]]] = {
    "one pair": (["The cat sat on the Mat"], ["the Cat is on the mat today"]),
    "one pair, several references": (
        ["a cat sat on the mat"],
        [["The Cats sat", "A CAT sat on a mat", "on the mat sat a well-known cat"]],
    ),
    "several samples": (
        ["the cats were running home", "a dog barked", "the cat", "3.5 of 1,000 in the U.S."],
        ["The cat RAN home", ["the dog barked", "A dog barks"], ["the cat"], "3.5 in the u.s."],
    ),
    "sentences": (
        ["the cat sat. on the mat.\na dog ran\nhome", "one line. two lines"],
        [["on the mat.\nthe cat sat. a dog", "a dog ran\n\nhome the cat"], "two lines.\none line"],
    ),
    "white space at the end": (
        ["the well-\nknown cat -\n", "\tthe cat &quot; \n", "a\x85"],
        ["the well-known cat -", ['the cat "', "a cat\u2028"], ["a", "a\n"]],
    ),
    "empty texts": (["", "the cat", " \n", "..."], ["the cat", ["", "the"], [" "], ["", "?"]]),
    "one empty text": ([""], ["the cat"]),
    "other scripts": (
        ["für die Katze \u0130stanbul", "日本語 です", "e\u0301 \U0001f1eb\U0001f1f7 cats"],
        ["die Katzen für \u0130STANBUL", ["日本 語です", "です"], "é \U0001f1eb\U0001f1f7 cat"],
    ),
    "short texts": (["a b", "a", "a b c"], ["a b", ["a", "b a"], "a c b"]),
}
IDS: Final[dict[str, tuple[list[Any], list[Any]]]] = {
    "one pair of ids": ([[1, 5, 6, 7, 2, 8, 0]], [[5, 6, 2, 7, 8, 1]]),
    "ids": (
        [[5, 6, 7, 2, 5, 8, 3], [1, 9, 9, 4, 0], [5], [6, 7, 8, 9, 5, 6]],
        [[5, 6, 2, 7], [9, 9, 9, 4], [5, 2], [6, 7, 8, 9, 5]],
    ),
    "ids, several references": (
        [[5, 6, 7, 2, 5, 8], [1, 9, 9, 4, 0]],
        [[[5, 6, 2, 7], [7, 2, 5, 8, 8]], [[9, 0], [4, 4], [0, 1]]],
    ),
    "empty ids": ([[], [0, 1], [5, 6]], [[5, 6], [5], [0]]),
}
SAMPLES: Final = {**TEXTS, **IDS}

# Values by choice; a choice that is not there is not made.
Combination = dict[str, Any]


class Cover(NamedTuple):
    """Combinations that are accepted and have every pair that can be; the other pairs, alone."""

    accepted: list[Combination]
    refused: list[Combination]


def cover_pairs(
    choices: Mapping[str, Sequence[Any]],
    is_accepted: Callable[[Combination], bool],
    list_starts: Callable[[Combination], Iterable[Combination]] = lambda _: [{}],
    seed: int = 0,
) -> Cover:
    """Cover all pairs of values of two different choices; the combinations are always the same.

    A combination begins with a pair that is not covered yet, and the first of ``list_starts`` with
    which it is accepted. Then every other choice takes the value that covers most of the pairs that
    are left, if the combination stays accepted.

    >>> cover_pairs({"a": [1, 2], "b": [3], "c": [4]}, lambda made: made != {"a": 2, "c": 4})
    Cover(accepted=[{'a': 1, 'b': 3, 'c': 4}, {'a': 2, 'b': 3}], refused=[{'a': 2, 'c': 4}])
    """
    draw = random.Random(seed)
    # A place is a choice with the index of a value.
    left = {
        frozenset(((one, index), (other, other_index)))
        for one, other in combinations(choices, 2)
        for index in range(len(choices[one]))
        for other_index in range(len(choices[other]))
    }
    cover = Cover([], [])

    def read(places: Mapping[str, int]) -> Combination:
        return {name: choices[name][places[name]] for name in choices if name in places}

    for pair in sorted(left, key=sorted):
        if pair not in left:
            continue
        made = dict(sorted(pair))
        tried: list[dict[str, int]] = []
        for start in list_starts(read(made)):
            places = {name: choices[name].index(value) for name, value in start.items()} | made
            if places in tried:
                continue
            tried.append(places)
            if is_accepted(read(places)):
                made = places
                break
        else:
            cover.refused.append(read(made))
            left.remove(pair)
            continue
        names = [name for name in choices if name not in made]
        draw.shuffle(names)
        for name in names:
            gains = [
                (sum(frozenset((place, (name, index))) in left for place in made.items()), index)
                for index in range(len(choices[name]))
            ]
            for gain, index in sorted(gains, reverse=True):
                if gain and is_accepted(read({**made, name: index})):
                    made[name] = index
                    break
        cover.accepted.append(read(made))
        left.difference_update(map(frozenset, combinations(made.items(), 2)))
    return cover
