"""Count the n-grams of tokenized samples that predictions and references share.

An n-gram matches at most as often as it occurs in the reference that has it most often, as in BLEU
(Papineni et al. 2002). A reference of a sample is the union of its references in the same sense.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from ...counting.ngrams import list_ngrams
from ...families.base import Counting
from ...messages import value_error
from ...options.options import Options
from ...options.profiles import Family
from ...samples.inputs import Samples, check_samples
from ..systems import check_systems, has_runs

Ngram = tuple[str, ...]
Ngrams = Counter[Ngram]


class SampleNgrams(NamedTuple):
    """The n-grams of one sample, each as often as it occurs.

    Attributes:
        prediction: of the prediction.
        reference: of the references: each as often as in the reference that has it most often.
    """

    prediction: Ngrams
    reference: Ngrams

    @property
    def matched(self) -> Ngrams:
        """Return what both have."""
        return self.prediction & self.reference

    @property
    def novel(self) -> Ngrams:
        """Return what only the prediction has."""
        return self.prediction - self.reference

    @property
    def missed(self) -> Ngrams:
        """Return what only the reference has."""
        return self.reference - self.prediction


def check_texts(systems: Mapping[str, Any], references: object) -> dict[str, Samples]:
    """Return the samples of all systems, which must be texts.

    Args:
        systems: predictions by name.
        references: of the predictions; no iterator, because each system reads them.

    Raises:
        TypeError: samples are not texts.
        ValueError: the lengths differ.
    """
    samples: dict[str, Samples] = {}
    for name, predictions in systems.items():
        samples[name] = check_samples(predictions, references)
        if samples[name].are_ids:
            raise TypeError(
                f"systems[{name!r}] has token ids; expected texts, whose n-grams are counted."
            )
    return samples


def hold_systems(systems: Mapping[str, Any], baseline: str | None) -> dict[str, Any]:
    """Check that there are systems of one run each; return them, the baseline first.

    Raises:
        TypeError: ``systems`` is not a mapping.
        ValueError: there is only one system, or one has several runs.
    """
    checked = check_systems(systems, baseline)
    if has_runs(checked):
        raise value_error(
            "{systems} has several runs of a system", expected="expected one run of each here."
        )
    return {name: hold(value) for name, value in checked.items()}


def hold(items: Any) -> Any:
    """Return the items of an iterator as a list, which can be read again; others as they are."""
    return list(items) if isinstance(items, Iterator) else items


def first_counting(options: Options, families: Sequence[Family]) -> Counting:
    """Return what counts the first family, whose tokenizer finds the words of buckets."""
    return next(iter(options.plan(families).counting.parts.values()))


def count_ngrams(tokens: Sequence[str], orders: Sequence[int]) -> Ngrams:
    """Count the n-grams of some orders.

    >>> count_ngrams(["a", "b", "a"], [1, 2])
    Counter({('a',): 2, ('b',): 1, ('a', 'b'): 1, ('b', 'a'): 1})
    """
    counts: Ngrams = Counter()
    for order in orders:
        counts.update(
            ((token,) for token in tokens) if order == 1 else list_ngrams(tokens, order)  # type: ignore[arg-type]
        )
    return counts


def list_sample_ngrams(
    samples: Samples, counting: Counting, orders: Sequence[int]
) -> Iterator[SampleNgrams]:
    """Iterate over the n-grams of samples, tokenized as a family of scores does."""
    tokenize = counting.tokenizer
    for prediction, references in counting.prepare(samples).by_sample():
        yield SampleNgrams(
            count_ngrams(tokenize(prediction), orders),
            reduce(or_, (count_ngrams(tokenize(text), orders) for text in references)),
        )
