"""The warning about samples that several ranks may have counted; it needs no ranks."""

import pytest

from bleu_rouge_metric.scoring.ranks import warn_of_repeats


def test_ranks_with_as_many_samples_are_warned_of_once() -> None:
    warned: set[str] = set()
    with pytest.warns(UserWarning, match=r"^Each of 2 ranks has 3 samples without keys\. "):
        warn_of_repeats([3, 3], warned)
    warn_of_repeats([3, 3], warned)  # a warning would be an error


@pytest.mark.parametrize("samples", [[3], [0, 0], [3, 4]])
def test_ranks_that_repeat_no_samples_are_not_warned(samples: list[int]) -> None:
    warn_of_repeats(samples, set())
