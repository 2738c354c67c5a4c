"""Count what the tests compare with the reference libraries, and write docs/parity.md.

``PARITY_DOCS=docs/parity.md pytest`` writes the file. CI does so, and fails if it differs from the
file in the repository.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from bleu_rouge_metric.options.profiles import PROFILES

_INTRODUCTION = """\
# Parity

This page lists the reference of each profile, what was compared with it, and the deliberate
deviations. Scores are compared with `==`, as doubles or as the digits that a program prints. The
corpora are sixteen sets of real system outputs in eight languages, with the scores of the
reference implementations; they are not part of this repository. Every clone has the scores of our
own texts and the versions of the libraries, in `tests/parity/stored.json`. Each score was compared
with both kernels, and is counted twice. The tests generate this page:
`PARITY_DOCS=docs/parity.md pytest`.

| profile | reference | compared | equal scores | deviations |
|---|---|---|---|---|
"""

# Where a profile differs from its reference, and why.
DEVIATIONS: Mapping[str, str] = {
    "hf": "The default `aggregator` is the exact mean; `bootstrap` returns evaluate's score"
    " for its seed. Empty texts score 0 where evaluate raises an error. Values are "
    "Python floats, not `np.float64`. Sums of floats are not compensated, as in "
    "Python up to 3.11.",
    "rouge_score": "The default `aggregator` is the exact mean, not the median of the bootstrap.",
    "sacrebleu": "`counts` and `totals` are not smoothed under add-k. Different numbers of "
    "predictions and references raise an error instead of truncation. Sums of floats "
    "as in `hf`.",
    "nltk": "Input is texts, which are split at white space, not tokens. `method6` returns 0 "
    "where NLTK raises an error. As in NLTK, `method5` to `method7` use only the last"
    " sample of a corpus; `method5-corrected` to `method7-corrected` use all samples.",
    "google_bleu": "An empty list of samples raises an error instead of returning 0.",
    "codexglue": "`sentence_bleu` is in percent, as the score of all samples. An empty list of "
    "samples raises an error instead of a division by zero.",
    "coco": "No samples raise an error instead of returning 0 and NaN. Values are Python floats, "
    'not `np.float64`. With `tokenizer="ptb"`, each caption is tokenized alone, so that a line '
    "separator in one does not shift the others.",
    "rouge": "Texts without a sentence, for which the library raises ValueError, score 0, and long "
    "texts, for which it raises RecursionError, are scored; a warning counts the former. Samples "
    "with several references raise an error. `rouge_tokenizer` chooses other words.",
    "rouge-chinese": "As in `rouge`; no text is too long.",
    "xlsum": "Several references are scored as `rouge_score` does; the original takes one. The "
    "language is chosen by `tokenizer` and `use_stemmer`. Bengali has no stemmer. Arabic stems do "
    "not depend on the words before.",
    "rouge-1.5.5": "The score is 0 where the program ends with a division by zero. `-t 1`, `-t 2` "
    "and configuration files are not supported.",
    "lin2004": "The paper has no program. Its formulas were computed by hand, and compared with "
    "a direct implementation.",
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


def compared() -> tuple[dict[tuple[str, str], int], list[tuple[str, str]]]:
    """Return what this process compared, for the process that started it."""
    return dict(_equal), list(_generated)


def add_compared(
    equal: Mapping[tuple[str, str], int], generated: Iterable[tuple[str, str]]
) -> None:
    """Add what another process compared."""
    _equal.update(equal)
    _generated.update(generated)


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
