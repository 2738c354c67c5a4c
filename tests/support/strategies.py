"""Generated texts for hypothesis, and how many."""

import sys

from hypothesis import settings
from hypothesis import strategies as st


def examples(times: float) -> settings:
    """Return settings with a multiple of the examples of the profile: tests/conftest.py."""
    return settings(max_examples=round(times * settings().max_examples))


# Few words, so that texts overlap. Some have the same stem; the ROUGE tokenizer splits some.
WORDS = [
    *("a", "b", "c", "the", "of", "cat", "cats", "running", "runs", "dog", "ties", "flies"),
    *("3", "3.5", "1,000", "2-3", "U.S.", "don't", "well-known", ".", ",.5", ""),
    *("café", "\u0130stanbul", "\u212aelvin", "日本", "&quot;", "&amp;lt;", "<skipped>"),
]

# Planes 4 to 13, 15 and 16 are unassigned or private: one in 64 of their code points is enough.
EVERY_CHARACTER = [
    chr(code_point)
    for code_point in range(sys.maxunicode + 1)
    if code_point >> 16 in (0, 1, 2, 3, 14) or code_point % 64 == 0
]

# Kinds of white space, characters that look like it, and marks that join words.
SEPARATORS = [
    " ", "  ", "\n", "\n\n", "\t", "\r", "\v", "\x1c", "\x85", "\xa0", "\u2028", "\u3000",
    "\u200b", "\ufeff", "-", "-\n", ". ", ",", "\ud800",
]  # fmt: skip

words = st.sampled_from(WORDS)
texts = st.lists(st.tuples(words, st.sampled_from(SEPARATORS)), max_size=25).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)
any_texts = texts | st.text(max_size=60) | st.text(st.characters(), max_size=60)
samples = st.lists(
    st.tuples(any_texts, st.lists(any_texts, min_size=1, max_size=3)), min_size=1, max_size=5
)
tokens = st.lists(st.sampled_from("abcdefg"), max_size=20)
sentences = st.lists(tokens.filter(bool), max_size=5)

# Tokens between single spaces; predictions and references have much in common.
spaced_texts = st.lists(st.sampled_from("abcde"), max_size=12).map(" ".join)
spaced_corpora = st.lists(
    st.tuples(spaced_texts, st.lists(spaced_texts, min_size=1, max_size=4)), min_size=1, max_size=5
)
