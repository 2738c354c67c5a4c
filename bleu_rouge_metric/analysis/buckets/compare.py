"""Compare systems in buckets: of samples, of words, of n-grams.

Neubig et al. (2019), "compare-mt: A Tool for Holistic Comparison of Language Generation Systems",
introduced such tables; the intervals and tests are those of ``compare_systems``.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from ...checks import check_choice
from ...messages import Argument, value_error
from ...options.options import Options
from ...options.profiles import check_family
from ...resampling.draws import Progress
from ...samples.inputs import Samples
from ...scoring.labels import check_labels
from ..outside_scores import check_numbers
from ..significance import check_clusters, compare_systems
from ..significance_correction import correct_comparisons
from ..significance_design import Design, check_design
from ..system_counts import count_systems
from .comparison import ALL, BucketComparison
from .ngrams import check_texts, first_counting, hold, hold_systems
from .ranges import Ranges, make_ranges
from .words import (
    bucket_frequencies,
    bucket_orders,
    compare_words,
    count_buckets,
    read_texts,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ...options.keywords import ComparedKeywords
    from ...options.profiles import Family

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
        "seed": secrets.randbits(32) if seed is None else seed,
        "alternative": alternative,
        "correction": correction,
        "convention": None,
    }
    checked = check_design(**design, draw=0)
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
        replace(part, counted=None) for part in correct_comparisons(compared, design.correction)
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
