"""Count what the tests compare with the reference libraries, and write docs/parity.md.

``PARITY_DOCS=docs/parity.md pytest`` writes the file. CI does so, and fails if it differs from the
file in the repository.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bleu_rouge_metric.options.profiles import PROFILES

_INTRODUCTION = """\
# Parity

What each profile equals, how that was checked, and where it differs on purpose. Numbers are
compared with `==`, as doubles, or as the digits that a program prints. The corpora are sixteen sets
of real system outputs in eight languages, with the scores that the references gave them; they are
not in this repository. Every number was compared with both kernels, and is counted twice. Written
by the tests themselves: `PARITY_DOCS=docs/parity.md pytest`.

| profile | reference | checked | numbers equal | known deviations |
|---|---|---|---|---|
"""

# Where a profile differs from its reference, and why.
DEVIATIONS: Mapping[str, str] = {
    "hf": "`aggregator` is the exact mean; `bootstrap` gives evaluate's own number for its seed. "
    "Empty texts score 0 where evaluate raises. Values are Python floats, not `np.float64`. Sums "
    "of floats are plain, as in Python up to 3.11, on every Python.",
    "rouge_score": "The exact mean in place of the bootstrap's middle, unless `aggregator="
    '"bootstrap"`.',
    "sacrebleu": "`counts` and `totals` stay integers under add-k, where sacrebleu returns them "
    "smoothed. Lengths that do not match are an error, not cut. Sums of floats as in `hf`.",
    "nltk": "Texts are tokenized (`whitespace`), where NLTK takes tokens. method5 to method7 look "
    "at the last sample alone in a corpus, as in NLTK; `method5-corrected` and so on do not. "
    "method6 is 0 where NLTK raises.",
    "google_bleu": "No sample is an error, not 0.",
    "rouge-1.5.5": "Where the program dies of a division by zero the score is 0. "
    "`-t 1`, `-t 2` and its configuration files are not reproduced.",
    "lin2004": "The paper is no program: its formulas were worked by hand and compared with plain "
    "ones.",
}

_equal: Counter[tuple[str, str]] = Counter()
_generated: set[tuple[str, str]] = set()


def compare(profile: str, what: str, found: Any, expected: Any, place: object = None) -> None:
    """Assert that two results are equal, and count the numbers in them.

    Args:
        profile: profile of the numbers.
        what: what was checked; a row of docs/parity.md.
        found: our result.
        expected: result of the reference library.
        place: where they differ, for the error.
    """
    assert found == expected, (profile, what, place)
    _equal[profile, what] += _count_numbers(expected)


def compare_generated(profile: str, what: str, found: Any, expected: Any) -> None:
    """Assert that results on generated texts are equal; their number may differ between runs."""
    assert found == expected
    _generated.add((profile, what))


def _count_numbers(value: Any) -> int:
    """Count the numbers in a nested result."""
    if isinstance(value, Mapping):
        return sum(map(_count_numbers, value.values()))
    if isinstance(value, list | tuple):
        return sum(map(_count_numbers, value))
    return int(isinstance(value, int | float))


def render() -> str:
    """Write docs/parity.md from what was compared in this run."""
    rows = []
    for profile, known in PROFILES.items():
        checks = [(what, f"{count:,}") for (name, what), count in _equal.items() if name == profile]
        checks += [(what, "all") for name, what in _generated if name == profile]
        head = f"`{profile}` | {known.reference}"
        deviations = DEVIATIONS[profile]
        for what, count in sorted(checks):
            rows.append(f"| {head} | {what} | {count} | {deviations} |")
            head, deviations = " | ", ""
    return _INTRODUCTION + "\n".join(rows) + "\n"
