"""Find the tokens of ``ptb`` in a text: at every place the rule with the longest match.

What a rule looks at behind its token counts for the length of the match; of two matches of equal
length the earlier rule has the token. A character that no rule matches is skipped.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final

from .characters import write_shape
from .contractions import CONTRACTIONS, JOINED_WORDS, PLAIN_WORDS
from .marks import MARKS, SMILEYS
from .numbers import AMOUNTS, NUMBERS
from .periods import ABBREVIATIONS, LOOKING_ABBREVIATIONS
from .rules import BLANKS, Rule, compile_pattern
from .tags import ENTITIES, TAGS
from .web import ADDRESSES, FILES
from .words import HYPHENATED, KEPT_PERIODS, NAMES, SLASHED

# Parity: of two equally long matches, the earlier one wins.
RULES: Final[tuple[Rule, ...]] = (
    # White space is no token.
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


@cache
def _list_rules(first: str) -> tuple[Rule, ...]:
    """Return the rules that may match where a text begins with a character of a shape.

    There are as many of these characters as classes, fewer than two hundred.
    """
    return tuple(rule for rule in RULES if compile_pattern(f"[{rule.firsts}]").match(first))


def scan(text: str) -> Iterator[tuple[str, int, int]]:
    """Iterate over the tokens of a text, in lower case: token, start and end.

    The text is followed by nothing: pass it with a newline at its end to get the tokens of a line.

    >>> list(scan("I don't."))
    [('i', 0, 1), ('do', 2, 4), ("n't", 4, 7), ('.', 7, 8)]
    """
    shape = write_shape(text)
    # For rules with a run: up to where they do not match.
    failed: dict[Rule, int] = {}
    at, length = 0, len(text)
    while at < length:
        rule, end = _find_longest(shape, at, failed)
        if rule is None:
            at += 1
            continue
        token = text[at:end]
        # Parity: soft hyphens count as letters of words and are deleted.
        token = rule.write(token) if rule.write else token.replace(_SOFT_HYPHEN, "")
        if token:
            yield token.lower(), at, end
        at = end


def _find_longest(shape: str, at: int, failed: dict[Rule, int]) -> tuple[Rule | None, int]:
    """Return the rule with the longest match at a place, and the end of its token."""
    best, longest, end = None, at, at
    for rule in _list_rules(shape[at]):
        if rule.run is not None and at < failed.get(rule, 0):
            continue
        match = compile_pattern(rule.pattern).match(shape, at)
        if match is None:
            if rule.run is not None:
                run = compile_pattern(rule.run).match(shape, at)
                failed[rule] = run.end() if run else at
        elif match.end() > longest:
            best, longest = rule, match.end()
            end = match.end(1) if match.re.groups else longest
    return best, end
