"""Checks of single values of options: one clear error each, raised before any work."""

import difflib
import pickle
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from os import PathLike, fspath
from typing import Final, NoReturn, cast

import numpy as np

from ..checks import check_choice, check_number
from ..counting.rouge_types import parse_rouge_type
from ..samples.token_ids import IDS
from ..text.tokenizers import uses_segmenter
from .profiles import DEFAULTS, Family, find_profile, foreign_options

# Beyond this a slip of the finger would fill the memory.
_MOST_RESAMPLES: Final = 1_000_000

AGGREGATORS: Final = ("mean", "bootstrap")

# Of numpy.random.RandomState.
_LARGEST_SEED: Final = 2**32 - 1


def raise_unknown(keyword: str, names: Sequence[str]) -> NoReturn:
    """Raises TypeError for a keyword that is none of the options; names the closest."""
    if keyword == "seed":
        raise TypeError("'seed' is no option of compute; give it to evaluate.load(..., seed=...).")
    closest = difflib.get_close_matches(keyword, ["predictions", "references", *names], n=1)
    remedy = f"did you mean {closest[0]!r}?" if closest else f"expected one of {', '.join(names)}."
    raise TypeError(f"Unknown option {keyword!r}; {remedy}")


def check_relevance(keyword: str, profile: str, families: Sequence[Family]) -> None:
    """Raises TypeError for an option of a family that is not scored."""
    if keyword not in foreign_options(families):
        return
    scored = families[0].upper()
    if len(find_profile(profile).families) == 1:
        raise TypeError(
            f"{keyword!r} is no option of {scored}, which alone the profile {profile!r} has; "
            "leave it out."
        )
    raise TypeError(
        f"{keyword!r} is no option of {scored}, which alone is computed here; leave it out, or "
        "compute both families."
    )


def check_range(name: str, value: object, least: int, most: int) -> None:
    """Raises unless the value is an int from ``least`` to ``most``."""
    expected = f"expected an int from {least} to {most:,}."
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} is {value!r}; {expected}")
    if not least <= value <= most:
        raise ValueError(f"{name} is {value}; {expected}")


def check_seed(seed: object) -> int | None:
    """The seed as an int of Python; None if there is none.

    Raises:
        TypeError: it is no int.
        ValueError: it is out of range.

    >>> check_seed(np.uint32(7))
    7
    """
    if seed is None:
        return None
    expected = f"expected an int from 0 to {_LARGEST_SEED}, or None to draw one."
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
        raise TypeError(f"seed is {seed!r}; {expected}")
    if not 0 <= seed <= _LARGEST_SEED:
        raise ValueError(f"seed is {seed}; {expected}")
    return int(seed)


def check_limit(name: str, value: object) -> None:
    """Raises unless the value is None or an int above 0."""
    if value is not None:
        check_range(name, value, 1, 2**31 - 1)


def check_aggregation(
    aggregator: object, n_resamples: object, confidence: object, *, is_one: bool
) -> None:
    """Raises unless these say how the scores of the samples become one.

    Args:
        aggregator: see ``Options``.
        n_resamples: see ``Options``.
        confidence: see ``Options``.
        is_one: whether the scores of the samples become one at all.
    """
    check_choice("aggregator", aggregator, AGGREGATORS)
    check_range("n_resamples", n_resamples, 1, _MOST_RESAMPLES)
    if confidence is None:
        return
    expected = "expected a float above 0 and below 1, such as 0.95."
    if not 0 < check_number("confidence", confidence, expected) < 1:
        raise ValueError(f"confidence is {confidence}; {expected}")
    if not is_one:
        raise ValueError(
            "confidence is an interval around one score for all samples, but use_aggregator is "
            "False; leave one of the two out."
        )


def check_stemmer(use_stemmer: object, exceptions: object) -> None:
    """Raises unless the stemmer is a flag or a language, and has the exceptions to itself."""
    if not isinstance(use_stemmer, bool | np.bool_ | str):
        raise TypeError(
            f"use_stemmer is {use_stemmer!r}; expected True (Porter), False, or the language of a "
            "Snowball stemmer, such as 'german'."
        )
    if exceptions is not None and not use_stemmer:
        raise ValueError(
            "stemmer_exceptions is given, but use_stemmer is False; use use_stemmer=True, or leave "
            "the exceptions out."
        )


def check_segmenter(tokenizers: Sequence[object]) -> None:
    """Raises ValueError unless one of the tokenizers uses a segmenter."""
    if not any(map(uses_segmenter, tokenizers)):
        raise ValueError(
            "segmenter is given, but no tokenizer is 'unicode', which alone uses one. "
            "Use tokenizer='unicode', or leave the segmenter out."
        )


# Options of texts that mean nothing to the tokenizer of a family where it is "ids".
_TEXT_OPTIONS: Final[Mapping[str, Sequence[str]]] = {
    "bleu_tokenizer": ("lowercase",),
    "rouge_tokenizer": (
        "use_stemmer",
        "stop_words",
        "word_limit",
        "byte_limit",
        "sentence_splitter",
    ),
}


def check_id_options(options: Mapping[str, object]) -> None:
    """Raises ValueError where options of token ids and options of texts are given together."""
    for tokenizer, names in _TEXT_OPTIONS.items():
        for name in names:
            if options[tokenizer] == IDS and options[name] != DEFAULTS.get(name):
                raise ValueError(
                    f"{name} is {options[name]!r}, which is for texts, but {tokenizer} is 'ids'; "
                    "leave it out."
                )
    if any(options[tokenizer] == IDS for tokenizer in _TEXT_OPTIONS):
        return
    for name in ("ignore_index", "pad", "eos", "separator"):
        if options[name] != DEFAULTS.get(name):
            raise ValueError(
                f"{name} is {options[name]!r}, but no tokenizer is 'ids', which alone uses it; use "
                "tokenizer='ids', or leave it out."
            )


def check_same_functions(ours: object, theirs: object) -> None:
    """Raises ValueError where two sets of options have different functions of the same name.

    Functions are the same where they are equal, or where both are pickled as the same bytes, as
    those are that another process had.
    """
    for name in ("bleu_tokenizer", "rouge_tokenizer", "segmenter", "sentence_splitter"):
        here, there = getattr(ours, name), getattr(theirs, name)
        if not callable(here) or here == there:
            continue
        try:
            is_same = pickle.dumps(here) == pickle.dumps(there)
        except (pickle.PicklingError, AttributeError, TypeError):
            is_same = False
        if not is_same:
            raise ValueError(
                f"{name} is another function of the same name in the other scorer; counts can be "
                "merged only where all options are the same."
            )


def to_words(value: object) -> object:
    """Several words as a tuple, those of a set in order; a name, or what is none, as it is."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return value
    return tuple(sorted(value) if isinstance(value, AbstractSet) else value)


def to_paths(value: object) -> object:
    """One path, or several, as a tuple of str; what is none, as it is."""
    if isinstance(value, str | PathLike):
        return (fspath(value),)
    if not isinstance(value, Iterable):
        return value
    return tuple(fspath(path) if isinstance(path, PathLike) else path for path in value)


def check_rouge_types(rouge_types: object) -> tuple[str, ...]:
    """The types as a tuple, each once, in the order of their first occurrence."""
    if isinstance(rouge_types, str):
        raise TypeError(
            f"rouge_types is the str {rouge_types!r}; expected a sequence of types. "
            f"Use rouge_types=[{rouge_types!r}]."
        )
    # The order of the types decides what "bootstrap" draws for each; a set has none.
    is_sequence = isinstance(rouge_types, Iterable) and not isinstance(rouge_types, AbstractSet)
    if not is_sequence or isinstance(rouge_types, bytes | Mapping):
        raise TypeError(
            f"rouge_types is of type {type(rouge_types).__name__}; expected a sequence of types."
        )
    names = tuple(cast("Iterable[str]", rouge_types))
    if not names:
        raise ValueError("rouge_types is empty; expected at least one type, such as 'rouge1'.")
    for name in names:
        parse_rouge_type(name if isinstance(name, str) else repr(name))
    # Parity: rouge_score's results are a dict by type, so a repeated type is scored once.
    return tuple(dict.fromkeys(map(str, names)))
