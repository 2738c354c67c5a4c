"""Empty texts of Python and of Arrow are one warning for each column, with the first row."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.mistakes import warn_of_empty_texts

REST = "; nothing matches an empty text."


@pytest.mark.parametrize("make", [list, pa.array])
def test_texts_of_python_and_of_arrow(make: Callable[[list[str]], Any]) -> None:
    samples = check_samples(make(["a", " ", ""]), make(["", "b", "c"]))
    with pytest.warns(UserWarning) as caught:  # noqa: PT030 - all texts are compared
        warn_of_empty_texts(samples)
    assert [str(warning.message) for warning in caught] == [
        f"2 of 3 predictions are empty, first in row 2{REST}",
        f"1 of 3 rows has an empty reference, row 1{REST}",
    ]
