"""The signature: one line that says how a score was made, and that reads back into the options.

It follows the style of sacrebleu's, ``key:value`` joined by ``|``, for BLEU and for ROUGE alike.
Keys are names of options, and ``nrefs``, ``seed``, ``kernel`` and ``version``. What a reader asks
for first is always there; any other option stands there where its value is not the profile's.
"""

import math
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, unquote

# Keys that are no options: they say what was scored and by what.
FACTS: Final = ("nrefs", "seed", "kernel", "version")

# What a signature always says, in its order; the options of a family behind its tokenizer.
ALWAYS_STATED: Final = frozenset(
    {
        "bleu_tokenizer",
        "smooth",
        "reference_length",
        "rouge_types",
        "rouge_tokenizer",
        "use_stemmer",
        "sentence_splitter",
        "multi_reference",
        "aggregator",
    }
)

# Options whose value is the name of a list, or a list.
_WORDS: Final = ("stop_words",)

_PLAIN: Final = " /*()[]<>!$&'+;=@~"
_CALLABLE: Final = "callable "


def write_signature(values: Mapping[str, object]) -> str:
    """One line of the values, in their order; those that are None are left out.

    >>> write_signature({"profile": "hf", "smooth": "exp", "weights": (0.5, 0.5), "seed": None})
    'profile:hf|smooth:exp|weights:0.5,0.5'
    """
    return "|".join(
        f"{key}:{_encode_words(value) if key in _WORDS else _encode(value)}"
        for key, value in values.items()
        if value is not None
    )


def read_signature(text: object, given: Container[str] = ()) -> dict[str, Any]:
    """The options that a signature names, by name.

    Args:
        text: a line that ``write_signature`` wrote.
        given: options that need not be read, since the caller has them.

    Returns:
        Values ready for ``Options.from_keywords``; the keys of ``FACTS`` are left out.

    Raises:
        TypeError: the text is no str.
        ValueError: an item is no ``key:value``, its key is unknown or comes twice, or its value
            cannot be read back.

    >>> read_signature("profile:hf|nrefs:1|smooth:exp|rouge_types:rouge1,rougeL|version:0.1.0")
    {'profile': 'hf', 'smooth': 'exp', 'rouge_types': ('rouge1', 'rougeL')}
    """
    if not isinstance(text, str):
        raise TypeError(f"signature is of type {type(text).__name__}; expected a str.")
    options: dict[str, Any] = {}
    seen: set[str] = set()
    for item in text.strip().split("|"):
        key, colon, value = item.partition(":")
        if not colon or (key not in _DECODERS and key not in FACTS):
            raise ValueError(
                f"signature has the item {item!r}; expected key:value with the name of an option."
            )
        if key in seen:
            raise ValueError(f"signature has the key {key!r} twice; expected it once.")
        seen.add(key)
        if key in FACTS or key in given:
            continue
        if value.startswith(_CALLABLE):
            raise ValueError(
                f"signature names a function for {key}, {value.removeprefix(_CALLABLE)!r}, which "
                f"cannot be read back; give it again: Options.from_signature(text, {key}=...)."
            )
        try:
            options[key] = _DECODERS[key](value)
        except (KeyError, ValueError) as error:
            raise ValueError(f"signature has a value that cannot be read: {item!r}.") from error
    return options


def split_signature(text: str) -> dict[str, str]:
    """The options of a signature by name, as they are written.

    >>> split_signature("profile:hf|nrefs:1|smooth:exp|version:0.1.0")
    {'profile': 'hf', 'smooth': 'exp'}
    """
    pairs = (item.partition(":")[::2] for item in text.split("|"))
    return {name: value for name, value in pairs if name not in FACTS}


def find_difference(
    ours: Mapping[str, str], theirs: Mapping[str, str]
) -> tuple[str, str, str] | None:
    """The first option that two signatures, split, have otherwise: its name, here and there.

    >>> find_difference({"smooth": "exp", "beta": "2.0"}, {"smooth": "exp"})
    ('beta', '2.0', 'as preset')
    """
    for name in {**ours, **theirs}:
        here, there = ours.get(name, "as preset"), theirs.get(name, "as preset")
        if here != there:
            return name, here, there
    return None


def _encode(value: object) -> str:
    """One value as text without ``|`` and ``:``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return quote(value, safe=_PLAIN, errors="surrogatepass")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence):
        is_nested = value and isinstance(value[0], Sequence) and not isinstance(value[0], str)
        return (";" if is_nested else ",").join(map(_encode, value))
    name = getattr(value, "__qualname__", type(value).__qualname__)
    return _CALLABLE + quote(f"{getattr(value, '__module__', '')}.{name}", safe=_PLAIN)


def _encode_words(value: object) -> str:
    """The name of a list, or a list in brackets."""
    return _encode(value) if isinstance(value, str) else f"[{_encode(value)}]"


def _decode(text: str) -> str:
    return unquote(text, errors="surrogatepass")


def _to_flag(text: str) -> bool:
    return {"yes": True, "no": False}[text]


def _to_flag_or_name(text: str) -> bool | str:
    return text == "yes" if text in ("yes", "no") else _decode(text)


def _to_names(text: str) -> tuple[str, ...]:
    return tuple(map(_decode, text.split(","))) if text else ()


def _to_words(text: str) -> str | tuple[str, ...]:
    """A list in brackets, or the name of one."""
    is_list = text.startswith("[") and text.endswith("]")
    return _to_names(text[1:-1]) if is_list else _decode(text)


def _to_float(text: str) -> float:
    number = float(text)
    if math.isnan(number):
        raise ValueError(text)
    return number


def _to_number(text: str) -> float:
    """An int stays one: NLTK calculates with it in exact fractions."""
    return int(text) if text.isdecimal() else _to_float(text)


def _to_ids(text: str) -> int | tuple[int, ...]:
    """One id, or several."""
    ids = tuple(map(int, text.split(",")))
    return ids if len(ids) > 1 else ids[0]


def _to_weights(text: str) -> tuple[Any, ...]:
    """Weights of one score, or of several."""
    sets = tuple(tuple(map(_to_float, part.split(","))) for part in text.split(";"))
    return sets if ";" in text else sets[0]


_DECODERS: Final[dict[str, Callable[[str], Any]]] = {
    "profile": _decode,
    "bleu_tokenizer": _decode,
    "max_order": int,
    "min_order": int,
    "weights": _to_weights,
    "smooth": _decode,
    "smooth_value": _to_number,
    "reference_length": _decode,
    "effective_order": _to_flag,
    "auto_reweigh": _to_flag,
    "lowercase": _to_flag,
    "sentence_bleu": _to_flag,
    "rouge_types": _to_names,
    "rouge_tokenizer": _decode,
    "use_stemmer": _to_flag_or_name,
    "stemmer_exceptions": _to_names,
    "stop_words": _to_words,
    "word_limit": int,
    "byte_limit": int,
    "sentence_splitter": _decode,
    "multi_reference": _decode,
    "beta": _to_float,
    "use_aggregator": _to_flag,
    "aggregator": _decode,
    "n_resamples": int,
    "confidence": _to_float,
    "detailed": _to_flag,
    "segmenter": _decode,
    "ignore_index": int,
    "pad": _to_ids,
    "eos": _to_ids,
    "separator": int,
}
