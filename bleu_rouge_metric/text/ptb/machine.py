"""Find the tokens of ``ptb`` in a text: at every place the rule with the longest match.

The look-ahead after a token counts for the length of the match; of two matches of equal length the
earlier rule wins. A character that no rule matches is skipped.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from .characters import BREAK, MARK, write_shape
from .marks import MARKS, SMILEYS
from .numbers import AMOUNTS, NUMBERS
from .periods import ABBREVIATIONS, LOOKING_ABBREVIATIONS, list_abbreviations
from .rules import BLANKS, DIGITS, LETTERS, Rule, compile_pattern
from .web import ADDRESSES, ENTITIES, FILES, TAGS
from .words import (
    CONTRACTIONS,
    DOUBLE_WORDS,
    HYPHENATED,
    JOINED_WORDS,
    KEPT_PERIODS,
    NAMES,
    PLAIN_WORDS,
    SLASHED,
)

# Parity: of two equally long matches, the earlier one wins.
RULES: Final[tuple[Rule, ...]] = (
    # White space is not a token.
    Rule(BLANKS, f"[{BLANKS}]+", lambda _: ""),
    *TAGS,
    *ENTITIES,
    *CONTRACTIONS,
    *ABBREVIATIONS,
    *PLAIN_WORDS,
    *ADDRESSES,
    *LOOKING_ABBREVIATIONS,
    *JOINED_WORDS,
    *HYPHENATED,
    *KEPT_PERIODS,
    *SLASHED,
    *FILES,
    *NAMES,
    *NUMBERS,
    *SMILEYS,
    *AMOUNTS,
    *MARKS,
)

_SOFT_HYPHEN: Final = "\u00ad"
_BLANKS: Final = frozenset(BLANKS)

# A word before white space, perhaps with a comma or a full stop.
_LETTER: Final = f"{LETTERS}{MARK}"
_COMMON: Final = compile_pattern(
    rf"[{_LETTER}][{_LETTER}{DIGITS}]*(?=[ {BREAK}])"
    rf"|([{_LETTER}][{_LETTER}{DIGITS}]+)[.,](?={BREAK}| [A-Za-z])"
)
# Those that are not one token.
_UNCOMMON: Final = frozenset([*DOUBLE_WORDS, *list_abbreviations()])


class _Compiled(NamedTuple):
    """A rule with its patterns compiled."""

    match: Callable[[str, int], re.Match[str] | None]
    run: Callable[[str, int], re.Match[str] | None] | None
    rule: Rule


@cache
def _list_rules(first: str) -> tuple[_Compiled, ...]:
    """Return the rules that may match where a text begins with a character of a shape.

    There are as many of these characters as classes, fewer than two hundred.
    """
    return tuple(
        _Compiled(
            compile_pattern(rule.pattern).match,
            compile_pattern(rule.run).match if rule.run is not None else None,
            rule,
        )
        for rule in RULES
        if compile_pattern(f"[{rule.firsts}]").match(first)
    )


def scan(text: str) -> Iterator[tuple[str, int, int]]:
    """Iterate over the tokens of a text, in lower case: token, start and end.

    The text is followed by nothing: pass it with a newline at its end to get the tokens of a line.

    >>> list(scan("I don't."))
    [('i', 0, 1), ('do', 2, 4), ("n't", 4, 7), ('.', 7, 8)]
    """
    shape = write_shape(text)
    # For rules with a run: up to where they do not match.
    failed: dict[str, int] = {}
    at, length = 0, len(text)
    while at < length:
        if shape[at] == " ":
            # Parity: all white space is one match, so that a no-break space after a space does not
            # begin an address.
            at += 1
            while shape[at : at + 1] in _BLANKS:
                at += 1
            continue
        # Fast path: equals the rules, with which a caption takes ten times as long (114 instead of
        # 11 µs for the captions of videos).
        common = _COMMON.match(shape, at)
        if common is not None:
            end = common.end()
            stop = common.end(1) if common[1] else end
            token = text[at:stop].lower()
            if token not in _UNCOMMON:
                yield token, at, stop
                if stop < end:
                    yield text[stop:end], stop, end
                at = end
                continue
        rule, end = find_longest(shape, at, failed)
        if rule is None:
            at += 1
            continue
        token = text[at:end]
        # Parity: soft hyphens count as letters of words and are deleted; alone they are a hyphen.
        token = rule.write(token) if rule.write else token.replace(_SOFT_HYPHEN, "") or "-"
        if token:
            yield token.lower(), at, end
        at = end


def find_longest(shape: str, at: int, failed: dict[str, int]) -> tuple[Rule | None, int]:
    """Return the rule with the longest match at a place.

    Args:
        shape: of the whole text.
        at: the place.
        failed: for the patterns of rules with a run, up to where they do not match; it is updated.

    Returns:
        The rule and the end of its token; None and the place if no rule matches.
    """
    best, longest, end = None, at, at
    for match, run, rule in _list_rules(shape[at]):
        if run is not None and at < failed.get(rule.pattern, 0):
            continue
        found = match(shape, at)
        if found is None:
            if run is not None:
                bound = run(shape, at)
                failed[rule.pattern] = bound.end() if bound else at
        elif found.end() > longest:
            best, longest = rule, found.end()
            end = found.end(1) if found.re.groups else longest
    return best, end
