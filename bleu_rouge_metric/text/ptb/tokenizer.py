"""The function of the tokenizer ``ptb``: the tokens without punctuation."""

from typing import Final

# Parity: the list in pycocoevalcap 1.2 has brackets in upper case, but tokens are in lower case. So
# brackets stay, and so do "!!" and "/".
PUNCTUATION: Final = frozenset(
    ["''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)


def find_tokens(text: str) -> list[tuple[str, int, int]]:
    """Return the tokens of a caption that remain: token, start and end in the text."""
    # The rules are built with the first text, which takes 5 ms.
    from .machine import scan

    # Parity: every caption is a line of the program's input.
    tokens = [*scan(text + "\r")]
    if tokens:
        # Parity: pycocoevalcap strips its lines. An address may end with a no-break space.
        token, start, end = tokens[-1]
        tokens[-1] = token.rstrip(), start, end
    return [token for token in tokens if token[0] not in PUNCTUATION]


def tokenize_ptb(text: str) -> list[str]:
    """Return the tokens of pycocoevalcap's ``PTBTokenizer`` without punctuation, in lower case.

    >>> tokenize_ptb("A man (left) can't ride the U.S. team's bike...")
    ['a', 'man', '-lrb-', 'left', '-rrb-', 'ca', "n't", 'ride', 'the', 'u.s.', 'team', "'s", 'bike']
    """
    return [token for token, _, _ in find_tokens(text)]
