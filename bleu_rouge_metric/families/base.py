"""What a family of scores is to the rest of the package: one object, one folder.

A family counts samples into arrays of integers (or bits of floats), and makes scores of them. The
rest of the package joins, selects, saves and sends counts without knowing what they mean.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..resampling.paired import Statistic, bootstrap, join_statistics
from ..resampling.student import widen_tail
from ..samples.inputs import Samples
from ..samples.token_ids import IDS, IdRules
from ..text.tokenizers import Tokenizer

Array = NDArray[np.int64] | NDArray[np.int32] | NDArray[np.float64]
Floats = NDArray[np.float64]
Value = Any
Choice = str | Callable[[str], list[str]]
Values = dict[str, Any]

# From a prediction and its references to the scores; and whether all texts have tokens.
PairScore = Callable[[str, list[str]], tuple[Sequence[float], bool]]
# The same to the dict of a result; None if the slow path must be taken.
PairResult = Callable[[str, list[str]], dict[str, Value] | None]


class Layout(NamedTuple):
    """One array of counts.

    Attributes:
        dtypes: the types that it may have, whatever the byte order; the last is the widest.
        row: shape of a row.
        per: what has a row.
        columns: names of its Arrow columns: one for the whole row, or one per item of ``row[0]``.
        may_be_wider: whether a table may have more items a row than these options need.
    """

    dtypes: tuple[str, ...]
    row: tuple[int, ...] = ()
    per: Literal["sample", "reference"] = "sample"
    columns: tuple[str, ...] = ()
    may_be_wider: bool = False

    @property
    def is_split(self) -> bool:
        """Whether every item of a row has an Arrow column of its own."""
        return len(self.row) > 1

    @property
    def is_float(self) -> bool:
        """Whether the counts are floats."""
        return self.dtypes[0][0] == "f"


@dataclass(frozen=True, eq=False)
class SampleCounts:
    """Counts of samples: arrays by name, which no two families share.

    Attributes:
        reference_counts: int64, shape (samples,); how many references each sample has.
        samples: arrays with a row a sample.
        references: arrays with a row a reference.
    """

    reference_counts: NDArray[np.int64]
    samples: Mapping[str, Any]
    references: Mapping[str, Any]

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where the references of each sample start, shape (samples + 1,)."""
        # No functools.cached_property: until Python 3.11 it holds a lock of the class, which a fork
        # may copy while another thread holds it (tests/scoring/test_forks.py).
        kept = vars(self)
        if "_offsets" not in kept:
            kept["_offsets"] = to_offsets(self.reference_counts)
        offsets: NDArray[np.int64] = kept["_offsets"]
        return offsets

    def __getitem__(self, name: str) -> Any:
        return self.samples[name] if name in self.samples else self.references[name]


class Output(NamedTuple):
    """What is given back of any score; shared by all families.

    Attributes:
        samples: add the score of every sample (``sentence_bleu``).
        use_aggregator: one score for all samples.
        is_mean: whether that score is the mean; else it comes from the resamples.
        n_resamples: how many resamples are drawn.
        confidence: of the intervals; None for none.
        detailed: all parts of a score.
        signature: add the line that says how the scores were made.
    """

    samples: bool = False
    use_aggregator: bool = True
    is_mean: bool = True
    n_resamples: int = 1000
    confidence: float | None = None
    detailed: bool = False
    signature: bool = False

    @property
    def draws(self) -> bool:
        """Whether means of samples are resampled."""
        return self.use_aggregator and (not self.is_mean or self.confidence is not None)

    @property
    def plain(self) -> "Output":
        """One number a score."""
        return self._replace(
            samples=False, use_aggregator=True, confidence=None, detailed=False, signature=False
        )


class Counting(Protocol):
    """What every plan of counting has."""

    choice: Choice
    tokenizer: Tokenizer

    @property
    def bare_tokenizer(self) -> Tokenizer:
        """The tokenizer without limits, stop words and stemmer."""


class Family(Protocol):
    """A family of scores."""

    # In plans and errors, unique; what callers ask for (several families may share it: a profile
    # has at most one of them); the option of its tokenizer; keys of a result that are no scores.
    name: str
    group: str
    tokenizer: str
    no_scores: frozenset[str]

    # Options to plans, in three phases, so that the first wrong value is named first.
    def rules(self, values: Values, convention: str) -> Any:
        """Check values together, normalise them in place, and return the rules."""

    def plan(self, values: Values, rules: Any, ids: IdRules, convention: str) -> tuple[Any, Any]:
        """Return what is counted, and how counts become scores."""

    def warn(self, values: Values, counting: Any) -> None:
        """Warn of values without effect."""

    # Counting.
    def layout(self, counting: Any) -> Mapping[str, Layout]:
        """Return the arrays of the counts by name."""

    def count(self, samples: Samples, counting: Any) -> Mapping[str, Array]:
        """Count samples."""

    def check(self, counts: SampleCounts, counting: Any) -> None:
        """Raise ValueError if counts break a law that no text breaks."""

    def totals(self, counts: SampleCounts, counting: Any) -> tuple[Array, Array]:
        """Return numbers that are 0 for a prediction or reference without tokens."""

    def of_references(self, counts: SampleCounts) -> Iterable[Any]:
        """Return what depends on the references alone."""

    def map_tokenizers(self, counting: Any, wrap: Callable[[Any], Any]) -> Any:
        """Return the plan with its tokenizers and splitters wrapped (caches)."""

    def warn_before(self, samples: Samples, counting: Any) -> None: ...
    def warn_after(self, samples: Samples, counting: Any) -> None: ...
    def line_types(self, counting: Any) -> tuple[str, ...]: ...

    # Scoring.
    def scale(self, scoring: Any) -> int:
        """Return the largest score: 1 or 100."""

    def find_surprise(self, scores: Mapping[str, Value]) -> str | None:
        """Return the name of a warning that the scores of all samples may need."""

    def warn_of_scores(
        self, scores: Mapping[str, Value], counts: "SampleCounts", scoring: Any, warned: set[str]
    ) -> None:
        """Warn, once, of scores that mislead; add the name of the warning to ``warned``."""

    def names(self, scoring: Any) -> tuple[str, ...]:
        """Return the names of the scores."""

    def score(
        self, counts: SampleCounts, scoring: Any, output: Output, seed: int
    ) -> dict[str, Value]:
        """Return what ``metric.compute`` says of all samples together."""

    def values(
        self, counts: SampleCounts, scoring: Any, output: Output, seed: int
    ) -> dict[str, float]:
        """Return one number a score, by its name."""

    def score_samples(self, counts: SampleCounts, scoring: Any) -> Mapping[str, Floats]:
        """Return the scores of every sample by name."""

    def score_wins(self, counts: SampleCounts, scoring: Any) -> Mapping[str, Floats]:
        """Return the scores of every sample that decide wins, ties and losses of systems."""

    def sums(self, counts: SampleCounts, scoring: Any) -> Mapping[str, "Sums"]:
        """Return the scores that are functions of summed counts; the others are means."""

    def check_sums(self, scoring: Any) -> None:
        """Raise ValueError if no score of sums can be computed."""

    def draws(self, scoring: Any, output: Output) -> Literal["stream", "own"] | None:
        """Return whether samples are drawn: from a stream with a seed, or from its own."""

    def check_enough(self, counting: Any, scoring: Any, values: Any) -> None:
        """Raise ValueError if counts of one plan do not suffice for the scores of another."""

    # One pair.
    def prepare_pair(self, counting: Any, scoring: Any) -> PairScore | None: ...
    def prepare_result(self, counting: Any, scoring: Any, output: Output) -> PairResult | None: ...

    # Names.
    def has_score(self, name: str) -> bool:
        """Whether a score has this name; raises ValueError if it nearly has."""

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the options that give scores of these names."""

    def check_pair(self, names: Sequence[str], scoring: Any) -> None: ...
    def option_of(self, column: str) -> str | None:
        """Return which options ask for an Arrow column; None if it is not one of this family."""


class Sums(NamedTuple):
    """A score of summed counts.

    Attributes:
        statistic: columns of whole numbers, and the score of their sums.
        exact: by column, values that its whole numbers round, and the factor between them.
    """

    statistic: Statistic
    exact: Mapping[int, tuple[Floats, float]] = {}


class Base:
    """What most families do."""

    name: str
    no_scores: frozenset[str] = frozenset()

    @property
    def group(self) -> str:
        return self.name

    @property
    def tokenizer(self) -> str:
        return f"{self.group}_tokenizer"

    def __repr__(self) -> str:
        return f"<Family {self.name}>"

    def __reduce__(self) -> Any:
        return find_family, (self.name,)

    def warn(self, values: Values, counting: Any) -> None: ...
    def warn_before(self, samples: Samples, counting: Any) -> None: ...
    def warn_after(self, samples: Samples, counting: Any) -> None: ...
    def check(self, counts: SampleCounts, counting: Any) -> None: ...
    def check_sums(self, scoring: Any) -> None: ...
    def check_enough(self, counting: Any, scoring: Any, values: Any) -> None: ...
    def check_pair(self, names: Sequence[str], scoring: Any) -> None: ...

    def line_types(self, counting: Any) -> tuple[str, ...]:
        return ()

    def map_tokenizers(self, counting: Any, wrap: Callable[[Any], Any]) -> Any:
        return counting._replace(tokenizer=wrap(counting.tokenizer))

    def score_wins(self, counts: SampleCounts, scoring: Any) -> Mapping[str, Floats]:
        return self.score_samples(counts, scoring)  # type: ignore[attr-defined]

    def sums(self, counts: SampleCounts, scoring: Any) -> Mapping[str, Sums]:
        return {}

    def draws(self, scoring: Any, output: Output) -> Any:
        return None if output.confidence is None else "stream"

    def prepare_pair(self, counting: Any, scoring: Any) -> PairScore | None:
        return None

    def prepare_result(self, counting: Any, scoring: Any, output: Output) -> PairResult | None:
        return None

    def values(
        self, counts: SampleCounts, scoring: Any, output: Output, seed: int
    ) -> dict[str, float]:
        return self.score(counts, scoring, output.plain, seed)  # type: ignore[attr-defined]

    def scale(self, scoring: Any) -> int:
        return 1

    def find_surprise(self, scores: Mapping[str, Value]) -> str | None:
        return None

    def warn_of_scores(
        self, scores: Mapping[str, Value], counts: SampleCounts, scoring: Any, warned: set[str]
    ) -> None: ...

    def has_score(self, name: str) -> bool:
        return name == self.name

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        return {}

    def option_of(self, column: str) -> str | None:
        return None


def add_interval(
    scores: dict[str, Value], sums: Sums, output: Output, seed: int
) -> dict[str, Value]:
    """Return scores with the bounds of the interval of the first behind it, if one is asked for.

    They are percentiles of the score of resampled samples (Koehn 2004), further out for few
    samples, as in ``compare_systems``.
    """
    if output.confidence is None:
        return scores
    resampled = bootstrap([join_statistics([sums.statistic])], output.n_resamples, seed)[0, 0]
    cut = 100 * widen_tail((1 - output.confidence) / 2, len(sums.statistic.columns))
    low, high = np.percentile(resampled, [cut, 100 - cut]).tolist()
    name, value = next(iter(scores.items()))
    return {name: value, f"{name}_low": low, f"{name}_high": high, **scores}


def shrink(counts: Any) -> Any:
    """Return the counts in half the memory if they fit; skip-bigrams of long texts do not."""
    fits = not counts.size or counts.max() <= np.iinfo(np.int32).max
    return counts.astype(np.int32) if fits else counts


def find_first(is_bad: NDArray[np.bool_]) -> int | None:
    """Return the first row with anything bad in it."""
    rows = is_bad.any(axis=tuple(range(1, is_bad.ndim)))
    return int(rows.argmax()) if rows.any() else None


def check_hits(name: str, what: str, triples: Any, totals: tuple[int, ...] = (1, 2)) -> None:
    """Raise ValueError if hits are above one of these totals."""
    row = find_first(triples[:, :1] > triples[:, totals])
    if row is not None:
        hits, prediction, reference = triples[row].tolist()
        raise ValueError(
            f"{name}[{row}] has {hits} hits of {what}, but totals of {prediction} in the "
            f"prediction and {reference} in the reference; expected no more hits."
        )


REGISTRY: Final[dict[str, Family]] = {}


def register(family: Any) -> Any:
    """Make a family known."""
    REGISTRY[family.name] = family
    return family


def find_family(name: str) -> Family:
    """Return the family of a name (for pickles: a family is one object)."""
    return REGISTRY[name]


def uses_ids(counting: Any) -> bool:
    """Whether the texts are token ids."""
    return bool(counting.choice == IDS)
