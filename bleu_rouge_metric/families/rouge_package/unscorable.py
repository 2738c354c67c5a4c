"""Find samples that the libraries cannot score, since they raise an error for them.

Both raise ValueError for a text without a sentence, such as an empty one. ``rouge`` 1.0.1 raises
RecursionError for long sentences too. Here the former score 0, and the latter are scored as all
others.
"""

from collections.abc import Sequence
from typing import Final

from ...counting.lcs import list_lcs_pairs
from ...messages import format_message
from ...samples.inputs import Samples
from ...text.sentences import Split
from ...text.warnings import warn_caller

# Parity: rouge 1.0.1 goes back through the LCS table by recursion, one call per step. Under
# Python's default limit of 1000 calls, a module can score this many steps.
MOST_STEPS: Final = 992

_LIBRARIES: Final = {"rouge": "rouge 1.0.1", "rouge-chinese": "rouge-chinese 1.0.3"}


def warn_of_unscorable(samples: Samples, split: Split, *, profile: str, recurses: bool) -> None:
    """Warn, once, of the samples that a library cannot score.

    Args:
        samples: texts, with one reference each.
        split: from a text to its sentences.
        profile: that equals the library.
        recurses: whether the library raises RecursionError for long sentences.
    """
    empty = deep = 0
    for prediction, references in samples.by_sample():
        # Parity: the libraries look at the sentences first.
        if has_no_sentence(prediction, split) or has_no_sentence(references[0], split):
            empty += 1
        elif recurses and is_too_deep(prediction, references[0], split):
            deep += 1
    reasons = []
    if empty:
        reasons.append(f"texts without a sentence (in {empty:,}) score 0")
    if deep:
        reasons.append(
            f"sentences of too many words (in {deep:,}), for which it raises RecursionError, are "
            "scored like all others"
        )
    if reasons:
        warn_caller(
            format_message(
                "{} raises an error for {:,} of {:,} {}. Here, {}.",
                *(_LIBRARIES[profile], empty + deep, len(samples.predictions), samples.noun),
                " and ".join(reasons),
            )
        )


def has_no_sentence(text: str, split: Split) -> bool:
    """Return whether a text has no sentence, so that the libraries raise ValueError.

    >>> [has_no_sentence(text, lambda text: text.split()) for text in ("", " ", "..", "a")]
    [True, True, False, False]
    """
    # Fast path: only texts of full stops and white space need to be split.
    return not text.strip().strip(".") and not split(text)


def may_be_too_deep(prediction: str, reference: str) -> bool:
    """Return whether two texts are long enough for too many steps.

    A word takes two characters with the space after it, so that short texts have few words.
    """
    return len(prediction) + len(reference) >= 2 * MOST_STEPS - 1


def is_too_deep(prediction: str, reference: str, split: Split) -> bool:
    """Return whether the LCS of any two sentences takes too many steps."""
    # Fast path: 4 µs for splitting two texts of 300 characters are saved.
    if not may_be_too_deep(prediction, reference):
        return False
    ours, theirs = ([part.split() for part in split(text)] for text in (prediction, reference))
    # Fast path: equals the loop, whose time is quadratic in the number of sentences.
    if max(map(len, ours), default=0) + max(map(len, theirs), default=0) <= MOST_STEPS:
        return False
    return any(
        len(first) + len(second) > MOST_STEPS and count_steps(second, first) > MOST_STEPS
        for first in ours
        for second in theirs
    )


def count_steps(reference: Sequence[str], prediction: Sequence[str]) -> int:
    """Count the steps back from the ends of two sentences until one of them is used up.

    Returns:
        The number of steps; if both have more words than ``MOST_STEPS``, a number above it.

    >>> count_steps("a b c".split(), "a b c".split()), count_steps(["x"], ["y", "z"])
    (3, 2)
    """
    # No step leaves out more than one word of each.
    if min(len(reference), len(prediction)) > MOST_STEPS:
        return MOST_STEPS + 1
    # The roles are exchanged, as for count_pair_words.
    pairs = list_lcs_pairs(prediction, reference)
    if not pairs:
        return len(prediction)
    first, ours = pairs[0]
    steps = len(reference) - first + len(prediction) - ours - len(pairs)
    # In front of the first pair nothing matches: the words of the prediction are left out.
    return steps + (ours if first else 0)
