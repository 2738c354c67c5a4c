"""Compare systems in buckets: of samples, of words, of n-grams.

Neubig et al. (2019), "compare-mt: A Tool for Holistic Comparison of Language Generation Systems",
introduced such tables; the intervals and tests are those of ``compare_systems``. The precision of
an order of n-grams is that of BLEU.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...checks import check_choice
from ...families.base import Counting
from ...families.counts import select_counts
from ...messages import Argument, describe_value, value_error
from ...options.options import Options
from ...options.profiles import check_family
from ...resampling.draws import Floats, Integers, Progress
from ...resampling.paired import Statistic, System
from ...samples.inputs import Samples
from ...schema.checks import choose_seed
from ...scoring.labels import check_labels
from ...scoring.statistics import sum_clusters
from ..significance import check_clusters, compare_systems
from ..significance_design import Design, check_design
from ..significance_parts import Part, compare_part, correct_results
from ..system_comparison import SystemComparison
from ..systems import CountedSystems, OutsideScore, SystemScores, check_numbers, count_systems
from .ngrams import Ngram, check_texts, first_counting, hold, hold_systems, list_sample_ngrams
from .results import ALL, BucketComparison

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family


class Ranges(NamedTuple):
    """Buckets of numbers, from the lowest to the highest.

    Attributes:
        edges: where each bucket but the first begins, ascending.
        names: of the buckets, one more than edges.
    """

    edges: tuple[float, ...]
    names: tuple[str, ...]

    def find(self, values: Any) -> NDArray[np.int64]:
        """Return the number of the bucket of each value, from 0 up."""
        return np.searchsorted(self.edges, np.asarray(values), side="right")


def make_ranges(edges: object, default: Sequence[int], *, counts: bool) -> Ranges:
    """Check edges, and name the buckets that they make.

    Args:
        edges: one or more numbers, ascending; None for the default.
        default: edges.
        counts: whether the numbers are counts, which begin at 0.

    Raises:
        TypeError: it is not a sequence of numbers.
        ValueError: it is empty, a number is not finite, they do not ascend, or the first bucket of
            counts is empty.

    >>> make_ranges([1, 5], (), counts=True).names, make_ranges([0.5], (), counts=False).names
    (('0', '1-4', '5+'), ('<0.5', '>=0.5'))
    """
    if edges is None:
        edges = default
    expected = "expected ascending numbers, such as [10, 20, 30]."
    if isinstance(edges, str | bytes) or not isinstance(edges, Iterable):
        raise TypeError(describe_value("edges", f"of type {type(edges).__name__}", expected))
    numbers: list[float] = []
    for index, edge in enumerate(edges):
        number = edge.item() if isinstance(edge, np.generic) else edge
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError(describe_value(f"edges[{index}]", repr(edge), "expected a number."))
        if not np.isfinite(number):
            message = describe_value(f"edges[{index}]", repr(number), "expected a finite number.")
            raise ValueError(message)
        numbers.append(number)
    if not numbers or any(low >= high for low, high in pairwise(numbers)):
        raise ValueError(describe_value("edges", repr(numbers), expected))
    if counts and (numbers[0] < 1 or any(number != int(number) for number in numbers)):
        expected = "expected whole numbers of at least 1, because tokens are counted."
        raise ValueError(describe_value("edges", repr(numbers), expected))
    if counts:
        middle = [_name_ints(int(low), int(high)) for low, high in pairwise(numbers)]
        ends = _name_ints(0, int(numbers[0])), f"{int(numbers[-1])}+"
    else:
        middle = [f"{low:g} to <{high:g}" for low, high in pairwise(numbers)]
        ends = f"<{numbers[0]:g}", f">={numbers[-1]:g}"
    return Ranges(tuple(numbers), (ends[0], *middle, ends[1]))


def _name_ints(low: int, stop: int) -> str:
    """Name the ints of ``range(low, stop)``."""
    return str(low) if stop == low + 1 else f"{low}-{stop - 1}"


Ints = NDArray[np.int64]


class WordBuckets(NamedTuple):
    """Buckets of n-grams.

    Attributes:
        names: of the buckets.
        orders: of the n-grams.
        find: returns the number of the bucket of an n-gram.
    """

    names: Sequence[str]
    orders: Sequence[int]
    find: Callable[[Ngram], int]


def bucket_orders(max_order: int) -> WordBuckets:
    """Return a bucket for each order of n-grams.

    >>> bucket_orders(2).find(("the", "cat"))
    1
    """
    orders = range(1, max_order + 1)
    return WordBuckets([f"{order}-grams" for order in orders], orders, lambda ngram: len(ngram) - 1)


def bucket_frequencies(texts: Iterable[str], counting: Counting, ranges: Ranges) -> WordBuckets:
    """Return buckets of words by how often they occur in some texts.

    Args:
        texts: such as those that a system was trained with.
        counting: of the family whose tokenizer finds the words.
        ranges: of the frequencies.
    """
    frequencies = Counter(token for text in texts for token in counting.tokenizer(text))
    numbers = ranges.find(list(frequencies.values())).tolist()
    buckets = dict(zip(frequencies, numbers, strict=True))
    return WordBuckets(ranges.names, [1], lambda ngram: buckets.get(ngram[0], 0))


def read_texts(text: object) -> list[str]:
    """Return the texts whose words are counted; raise TypeError if they are not texts."""
    expected = "expected a str or a sequence of str."
    if isinstance(text, str):
        return [text]
    if not isinstance(text, Iterable):
        raise TypeError(describe_value("text", f"of type {type(text).__name__}", expected))
    texts = list(text)
    for index, item in enumerate(texts):
        if not isinstance(item, str):
            raise TypeError(describe_value(f"text[{index}]", repr(item), "expected a str."))
    if not texts:
        raise ValueError(describe_value("text", "empty", expected))
    return texts


def count_buckets(samples: Samples, counting: Counting, buckets: WordBuckets) -> Ints:
    """Count matches, n-grams of predictions and n-grams of references of each bucket.

    Returns:
        Shape (samples, buckets, 3).
    """
    counts = np.zeros((len(samples.predictions), len(buckets.names), 3), np.int64)
    for row, ngrams in zip(
        counts, list_sample_ngrams(samples, counting, buckets.orders), strict=True
    ):
        for column, items in enumerate((ngrams.matched, ngrams.prediction, ngrams.reference)):
            for ngram, count in items.items():
                row[buckets.find(ngram), column] += count
    return counts


def compare_words(
    counted: CountedSystems,
    tables: Sequence[Ints],
    names: Sequence[str],
    *,
    clusters: Ints | None,
    design: Design,
    progress: Progress | None,
) -> tuple[list[SystemComparison], dict[str, int]]:
    """Compare systems on all n-grams, and on those of each bucket.

    A bucket is compared on the samples in which a text of any system or of the references has one
    of its n-grams. A bucket without n-grams is left out.

    Args:
        counted: of the systems, the baseline first.
        tables: of ``count_buckets``, for each system.
        names: of the buckets.
        clusters: the number of the cluster of each sample, from 0 up; None if there are none.
        design: how they are tested.
        progress: called with how many resamples are done and how many there are.

    Returns:
        The comparison of all n-grams and those of the buckets, not corrected; and the number of
        n-grams of the references of each bucket.
    """
    kept = [index for index in range(len(names)) if any(table[:, index].any() for table in tables)]
    parts = list(_list_parts(counted, tables, kept, clusters))
    n_tested = sum(part.untested_reason is None for part, _ in parts)
    compared = []
    for part, counts in parts:
        gathered = [_gather(table, part.clusters) for table in counts]
        compared.append(compare_part(part, design, n_tested, progress, gathered))
    sizes = {names[index]: int(tables[0][:, index, 2].sum()) for index in kept}
    return compared, sizes


def _list_parts(
    counted: CountedSystems, tables: Sequence[Ints], kept: Sequence[int], clusters: Ints | None
) -> Iterator[tuple[Part, list[Ints]]]:
    """Iterate over all n-grams and over the buckets: their samples, and the counts of these."""
    outside: list[dict[str, OutsideScore]] = [{} for _ in tables]
    yield Part(counted, clusters, outside), [table.sum(axis=1) for table in tables]
    for index in kept:
        has_any = np.any([table[:, index].any(axis=1) for table in tables], axis=0)
        rows = np.flatnonzero(has_any)
        counts = [select_counts(counts, rows) for counts in counted.counts]
        part = None if clusters is None else np.unique(clusters[rows], return_inverse=True)[1]
        yield (
            Part(counted._replace(counts=counts), part, outside),
            [table[rows, index] for table in tables],
        )


def _gather(table: Ints, clusters: Ints | None) -> SystemScores:
    """Return the scores of counts of shape (samples, 3)."""
    samples = {name: score(table.astype(np.float64)) for name, score in SCORES.items()}
    scores = tuple(SCORES.values())
    columns: Integers = table
    if clusters is not None:
        columns = sum_clusters(Statistic(table, _fmeasure), clusters).columns
    # Fast path: equals join_statistics of three statistics with the same columns, but sums these
    # once: 5 systems of 3,000 samples take 1.5 seconds instead of 2.1 by frequency.
    system = _SharedColumns(columns, (3,) * len(scores), scores, (1,) * len(scores))
    values = dict(zip(SCORES, system.score_all().tolist(), strict=True))
    ones: dict[str, int] = dict.fromkeys(SCORES, 1)
    return SystemScores(values, samples, system, dict(ones), ones)


class _SharedColumns(System):
    """A system whose scores are all of the same columns."""

    def score(self, sums: Floats) -> Floats:
        """Compute all scores of sums of rows, shape (scores, rows)."""
        return np.stack([score(sums) for score in self.scores])


def _fmeasure(sums: Floats) -> Floats:
    """Return 2 * matches / (n-grams of predictions and references); 0 without any."""
    return _divide(2 * sums[:, 0], sums[:, 1] + sums[:, 2])


def _precision(sums: Floats) -> Floats:
    return _divide(sums[:, 0], sums[:, 1])


def _recall(sums: Floats) -> Floats:
    return _divide(sums[:, 0], sums[:, 2])


def _divide(parts: Floats, totals: Floats) -> Floats:
    quotients: Floats = np.divide(parts, totals, out=np.zeros_like(parts), where=totals != 0)
    return quotients


SCORES: Mapping[str, Callable[[Floats], Floats]] = {
    "fmeasure": _fmeasure,
    "precision": _precision,
    "recall": _recall,
}


KINDS: Final = ("length", "label", "frequency", "order")

# Those of compare-mt 0.2.10, of lengths and of frequencies.
_LENGTHS: Final = (10, 20, 30, 40, 50, 60)
_FREQUENCIES: Final = (1, 2, 3, 4, 5, 10, 100, 1000)


def compare_buckets(
    systems: Mapping[str, Any],
    references: object,
    *,
    by: str = "length",
    edges: Sequence[float] | None = None,
    labels: object = None,
    text: object = None,
    baseline: str | None = None,
    test: str | None = None,
    n_resamples: int | None = None,
    confidence: float = 0.95,
    seed: int | None = 12345,
    alternative: str = "two-sided",
    correction: str | None = None,
    clusters: object = None,
    family: "Family | None" = None,
    progress: Progress | None = None,
    **options: "Unpack[ComparedKeywords]",
) -> BucketComparison:
    """Compare systems in buckets of samples or of n-grams, each with intervals and tests.

    Buckets of samples have the scores of ``compare_systems``. Buckets of words or n-grams have
    their F-measure, precision and recall: a word of a prediction matches at most as often as it
    occurs in the reference that has it most often. Words are those of the tokenizer of BLEU, or of
    ``family``. Each bucket is resampled alone, without the samples that have none of its words.

    Args:
        systems: mapping of names to predictions, two or more.
        references: one item per sample, a str or a sequence of str.
        by: what the buckets are of: ``length`` (samples, by the tokens of their references; of
            several, by the mean), ``label`` (samples, by ``labels``), ``frequency`` (words, by how
            often ``text`` contains them) or ``order`` (n-grams, up to the ``max_order`` of BLEU).
        edges: where the second and the following buckets begin. None for 10, 20, ..., 60 tokens or
            frequencies of 1, 2, 3, 4, 5, 10, 100, 1000; for labels, one bucket per label.
        labels: for ``label``, a str or an int per sample; with ``edges``, a number.
        text: for ``frequency``, a str or a sequence of str, such as the texts that the systems were
            trained with; None for the references.
        baseline: as for ``compare_systems``.
        test: as for ``compare_systems``.
        n_resamples: as for ``compare_systems``.
        confidence: as for ``compare_systems``.
        seed: as for ``compare_systems``.
        alternative: ``two-sided`` or ``greater``, as for ``compare_systems``.
        correction: as for ``compare_systems``; over all scores and buckets together.
        clusters: as for ``compare_systems``.
        family: ``bleu`` or ``rouge`` for one family; None for all that the profile has.
        progress: called with how many resamples are done and how many there are.
        **options: as for ``compare_systems``.

    Raises:
        TypeError: a value is of a wrong type, or an option is unknown.
        ValueError: a value is out of range, an argument does not apply to ``by``, or systems,
            references and labels do not fit together.

    >>> systems = {"A": ["the cat sat", "a dog"], "B": ["the cat", "a dog"]}
    >>> found = compare_buckets(systems, ["the cat sat", "a dog"], by="frequency", text="a cat sat")
    >>> [(name, size, found.buckets[name].rows[1].value) for name, size in found.sizes.items()]
    [('0', 2, 1.0), ('1', 3, 0.8)]
    """
    kind = check_choice("by", by, KINDS)
    # A margin would have to be one for each score of each kind of bucket.
    check_choice("alternative", alternative, ("two-sided", "greater"))
    _check_arguments(kind, edges=edges, labels=labels, text=text)
    given: dict[str, Any] = {
        "baseline": baseline,
        "family": family,
        **{name: value for name, value in options.items() if value is not None},
    }
    design: dict[str, Any] = {
        "test": test,
        "n_resamples": n_resamples,
        "confidence": confidence,
        "seed": choose_seed(seed),
        "alternative": alternative,
        "correction": correction,
        "convention": None,
    }
    checked = check_design(**design)
    ranges = _make_ranges(kind, edges)
    texts = None if text is None else read_texts(text)
    # They are read more than once.
    held = hold_systems(systems, baseline)
    shared = hold(references)
    if kind in ("frequency", "order"):
        words = _Words(kind, ranges, texts)
        return _compare_words(
            held,
            shared,
            words,
            design=checked,
            clusters=clusters,
            progress=progress,
            given=given,
        )
    name, predictions = next(iter(held.items()))
    samples = check_texts({name: predictions}, shared)[name]
    if kind == "length":
        names, order = _name_lengths(samples, cast("Ranges", ranges), given)
    else:
        names, order = _name_labels(hold(labels), ranges, len(samples.predictions))
    comparison = compare_systems(
        held, shared, clusters=clusters, groups=names, progress=progress, **design, **given
    )
    groups = {name: comparison.groups[name] for name in order if name in comparison.groups}
    sizes = {name: part.n_samples for name, part in groups.items()}
    return BucketComparison(
        by=kind, unit="samples", sizes=sizes, comparison=replace(comparison, groups=groups)
    )


class _Words(NamedTuple):
    """What the buckets of words are.

    Attributes:
        kind: ``frequency`` or ``order``.
        ranges: of frequencies; None for orders.
        texts: in which words are counted; None for the references.
    """

    kind: str
    ranges: Ranges | None
    texts: list[str] | None


def _compare_words(
    systems: Mapping[str, Any],
    references: object,
    words: _Words,
    *,
    design: Design,
    clusters: object,
    progress: Progress | None,
    given: Mapping[str, Any],
) -> BucketComparison:
    """Compare systems in buckets of words or n-grams."""
    options = {name: value for name, value in given.items() if name not in ("baseline", "family")}
    counted = count_systems(
        systems, references, baseline=given["baseline"], family=given["family"], options=options
    )
    samples = check_texts({name: systems[name] for name in counted.names}, references)
    first = next(iter(samples.values()))
    labels = check_clusters(clusters, len(first.predictions))
    counting = first_counting(counted.options, counted.families)
    if words.ranges is None:
        buckets = bucket_orders(counted.options.max_order)
    else:
        texts = words.texts
        if texts is None:
            texts = [text for _, several in first.by_sample() for text in several]
        buckets = bucket_frequencies(texts, counting, words.ranges)
    tables = [count_buckets(one, counting, buckets) for one in samples.values()]
    compared, sizes = compare_words(
        counted, tables, buckets.names, clusters=labels, design=design, progress=progress
    )
    # Influence is of the scores of the options.
    whole, *parts = (
        replace(part, counted=None) for part in correct_results(compared, design.correction)
    )
    return BucketComparison(
        by=words.kind,
        unit="words" if words.kind == "frequency" else "n-grams",
        sizes=sizes,
        comparison=replace(whole, groups=dict(zip(sizes, parts, strict=True))),
    )


def _check_arguments(kind: str, **given: object) -> None:
    """Raise ValueError if an argument is given that has no effect, or a needed one is not."""
    allowed = {
        "length": ("edges",),
        "label": ("edges", "labels"),
        "frequency": ("edges", "text"),
        "order": (),
    }
    for name, value in given.items():
        if value is not None and name not in allowed[kind]:
            kinds = " or ".join(repr(one) for one, names in allowed.items() if name in names)
            raise value_error(
                "{} does not apply if {} is {!r}",
                *(Argument(name), Argument("by"), kind),
                remedy=f"leave it out, or choose {kinds}.",
            )
    if kind == "label" and given["labels"] is None:
        raise value_error("{by} is 'label', but {labels} is missing", remedy="give one per sample.")


def _make_ranges(kind: str, edges: object) -> Ranges | None:
    """Return the ranges of the numbers of a kind; None if it has none."""
    if kind == "order" or (kind == "label" and edges is None):
        return None
    default = _FREQUENCIES if kind == "frequency" else _LENGTHS
    return make_ranges(edges, default, counts=kind != "label")


def _name_lengths(
    samples: Samples, ranges: Ranges, given: Mapping[str, Any]
) -> tuple[list[str], Sequence[str]]:
    """Return the bucket of each sample by the tokens of its references, and all buckets."""
    families = check_family(given["family"])
    names = ("baseline", "family")
    keywords = {name: value for name, value in given.items() if name not in names}
    counting = first_counting(Options.from_keywords(keywords, families), families)
    lengths = [
        float(np.mean([len(counting.tokenizer(text)) for text in texts]))
        for _, texts in counting.prepare(samples).by_sample()
    ]
    return [ranges.names[index] for index in ranges.find(lengths).tolist()], ranges.names


def _name_labels(
    labels: object, ranges: Ranges | None, samples: int
) -> tuple[list[str], Sequence[str]]:
    """Return the bucket of each sample by its label, and all buckets."""
    if ranges is None:
        found = check_labels("labels", labels, samples)
        if ALL in found.names:
            raise value_error(
                "{labels} has the label {!r}, which the row of all samples has",
                ALL,
                remedy="rename it.",
            )
        return [found.names[number] for number in found.numbers.tolist()], found.names
    numbers = check_numbers("labels", labels, samples)
    return [ranges.names[index] for index in ranges.find(numbers).tolist()], ranges.names
