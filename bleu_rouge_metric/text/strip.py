r"""Remove parts of texts that are not scored, such as the thinking of a reasoning model.

A pattern is a regular expression of the module ``re``. It is applied to predictions and references,
before anything is counted. ``THINKING`` removes what a model writes between ``<think>`` and
``</think>``:

>>> strip_texts(["<think>\nTwo cats?\n</think>\n\nA cat.", "A cat."], THINKING)
['A cat.', 'A cat.']

Chat templates may write ``<think>`` into the prompt, so that the answer begins inside the thinking.
An answer that ends inside the thinking, at the limit of tokens, has no text:

>>> strip_texts(["Two cats?</think>A cat.", "<think>Two cats, or perh"], THINKING)
['A cat.', '']
"""

import re
from typing import Final

from ..messages import PythonOnly, format_message, value_error
from ..samples.arrow_texts import list_texts
from ..samples.inputs import Samples, Texts
from .warnings import warn_caller

# A block begins with <think>, or with the text if </think> comes before every <think>. It ends at
# the last </think> before the next <think>, so that nested blocks are removed whole, or with the
# text. Every search for the next tag is lazy and stops there, so the time is linear.
_OTHERS: Final = "[^<]*(?:<(?!think>)[^<]*)*?"
THINKING: Final = re.compile(
    rf"(?:<think>|\A(?={_OTHERS}</think>)).*?(?:</think>(?!{_OTHERS}</think>)|\Z)",
    re.DOTALL | re.IGNORECASE,
)

# Characters for private use, in which patterns for texts match nothing but the empty text.
_PROBE: Final = "\ue000\ue001"

_USE_ESCAPE: Final = PythonOnly(" To remove these very characters, use re.escape.")


def compile_strip(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """Return a checked pattern of what is removed from texts.

    >>> compile_strip("answer:(")
    Traceback (most recent call last):
    ValueError: strip is 'answer:(', which is not a regular expression: missing ), unterminated \
subpattern at position 7. To remove these very characters, use re.escape.
    """
    given = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
    if not isinstance(given, str):
        raise TypeError(f"strip is {pattern!r}; expected a regular expression, as a str.")
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        message = "{strip} is {!r}, which is not a regular expression: {}.{}"
        raise value_error(message, given, error, _USE_ESCAPE) from error
    matches = [match.group() for match in compiled.finditer(_PROBE)]
    if matches == [""] * (len(_PROBE) + 1):
        raise value_error(
            "{strip} is {!r}, which matches the empty text everywhere",
            given,
            expected="expected a regular expression that matches only what is removed, such as "
            "'x+' in place of 'x*'.",
        )
    return compiled


def strip_texts(texts: Texts, pattern: re.Pattern[str]) -> list[str]:
    """Return the texts without what a pattern matches, and without white space left at the ends.

    A text in which nothing matches is returned unchanged.

    >>> strip_texts(["Answer: a cat", " a dog"], compile_strip("^Answer:"))
    ['a cat', ' a dog']
    """
    # Fast path: equals "" for every pattern. Without "<" no tag is found, in a tenth of the time.
    needed = "<" if pattern == THINKING else ""
    return [
        pattern.sub("", text).strip() if needed in text and pattern.search(text) else text
        for text in list_texts(texts)
    ]


def strip_samples(samples: Samples, pattern: re.Pattern[str], warned: set[str]) -> Samples:
    """Return samples without what a pattern matches, and warn once if nothing is left of a text."""
    if samples.are_ids:
        raise ValueError(
            "strip removes parts of texts, but the samples are token ids; leave strip out."
        )
    stripped = samples._replace(
        predictions=strip_texts(samples.predictions, pattern),
        references=strip_texts(samples.references, pattern),
    )
    for name in ("predictions", "references"):
        pairs = zip(list_texts(getattr(samples, name)), getattr(stripped, name), strict=True)
        empty = sum(not after and bool(before.strip()) for before, after in pairs)
        if empty and name not in warned:
            warned.add(name)
            warn_caller(
                format_message(
                    "{strip} leaves nothing of {:,} of {:,} {}, and nothing matches an empty text",
                    *(empty, len(getattr(stripped, name)), name),
                    remedy="generate more tokens if answers end inside their thinking.",
                )
            )
    return stripped
