"""The signature of a comparison of systems: that of the options, and how the test was made.

It can be parsed back into keywords of ``compare_systems``. It contains neither texts nor outside
scores; of clusters it has only their number, and of a correction also the number of tests.
"""

from collections.abc import Container, Mapping
from typing import Any, Final

from .. import schema
from ..options.profiles import BOTH, find_profile
from ..options.signature import read_signature, write_signature
from ..options.table import OPTIONS

# The keys of the test; all but the last are keywords. ``family`` is there if a profile that has
# both was asked for one.
_KEYWORDS: Final = {
    "family": schema.NAME,
    "test": schema.NAME,
    "n_resamples": schema.INT,
    "seed": schema.INT,
    "confidence": schema.FLOAT,
    "alternative": schema.NAME,
    "correction": schema.NAME,
    "convention": schema.NAME,
    "baseline": schema.NAME,
    "pairs": schema.NAME,
    "interval_resamples": schema.INT,
}

# Keys that are not keywords.
_FACTS: Final = ("clusters", "tests")


def write_comparison_signature(options: str, test: Mapping[str, object]) -> str:
    """Return one line of the options and of the test; ``test`` replaces its keys in ``options``."""
    ours = {*_KEYWORDS, *_FACTS}
    items = [item for item in options.split("|") if item.partition(":")[0] not in ours]
    values = {"family": _find_family(items), **test}
    return "|".join([*items, write_signature(values)])


def _find_family(items: list[str]) -> str | None:
    """Return the only family of a signature if its profile has both; else None."""
    values = dict(item.partition(":")[::2] for item in items)
    if len(find_profile(values["profile"]).families) == 1:
        return None
    named = {OPTIONS[key].families for key in values if key in OPTIONS}
    scored = [family for family in BOTH if (family,) in named]
    return scored[0] if len(scored) == 1 else None


def read_comparison_signature(text: object, given: Container[str] = ()) -> dict[str, Any]:
    """Return the keywords of ``compare_systems`` in a signature, except those in ``given``."""
    if not isinstance(text, str):
        raise TypeError(f"signature is of type {type(text).__name__}; expected a str.")
    options, keywords, seen = [], dict[str, Any](), set[str]()
    for item in text.strip().split("|"):
        key, colon, value = item.partition(":")
        if not colon or key not in (*_KEYWORDS, *_FACTS):
            options.append(item)
            continue
        if key in seen:
            raise ValueError(f"signature has the key {key!r} twice; expected it once.")
        seen.add(key)
        if key in _FACTS or key in given:
            continue
        try:
            keywords[key] = _KEYWORDS[key].read(value)
        except ValueError as error:
            raise ValueError(f"signature has a value that cannot be read: {item!r}.") from error
    if "test" not in seen:
        raise ValueError(
            "signature has no key 'test'; expected a line of SystemComparison.signature()."
        )
    # A test that went through all there are has fewer resamples than were asked for; intervals of
    # a test of its own never have more.
    intervals = keywords.pop("interval_resamples", 0)
    if "n_resamples" in keywords:
        keywords["n_resamples"] = max(keywords["n_resamples"], intervals)
    reader = "SystemComparison.read_signature"
    return {**read_signature("|".join(options), given, reader), **keywords}
