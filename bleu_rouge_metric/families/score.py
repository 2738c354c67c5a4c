"""A family of scores: what it counts in samples, and how counts become scores.

A subclass of :class:`Score` is a family: its class attributes are the facts about the family, and
an instance is the plan that checked options make. The rest of the package joins, selects, saves and
sends counts without knowing what they mean, and shows scores without knowing what they measure.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.pools import Batch, TextsT
from ..counting.rouge_types import CountPlan
from ..samples.inputs import Samples
from ..samples.token_ids import IDS, IdRules
from ..schema import Option
from ..text.align import MappedText
from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenize, Tokenizer, resolve_tokenizer, uses_segmenter
from .counts import Array, Layout, SampleCounts
from .sums import Sums, add_intervals

if TYPE_CHECKING:
    from typing_extensions import Self

    from ..matching.texts import Explained, FoundTokens

Floats = NDArray[np.float64]

# A number, or lists and dicts of numbers: whatever ``metric.compute`` returns under one key.
Value = Any

# Values of options by name; the name of a tokenizer, or a callable.
Values = dict[str, Any]
Choice = str | Tokenize

# From a prediction and its references to the scores, in the order of their names, and whether all
# texts have tokens.
PairScore = Callable[[str, list[str]], tuple[Sequence[float], bool]]
# The same to what ``Score.score`` returns; None if only the slow path can.
PairResult = Callable[[str, list[str]], dict[str, Value] | None]

# What draws resamples: a random stream with a seed that callers choose, or one with its own.
RandomStream = Literal["seeded", "fixed"]

# The reason of a step that ``compare_profiles`` shows if only the last digits differ: the largest
# relative difference of the same operations in another order is 1e-12.
OTHER_ORDER: Final = "the same operations in another order, which changes only the last digits"


def is_last_digits(before: float, after: float) -> bool:
    """Return whether two scores differ only in the last digits."""
    return math.isclose(before, after, rel_tol=1e-12)


class Output(NamedTuple):
    """What results contain; the same for all families.

    ``is_mean`` is whether the score of all samples is the mean of the samples, else of resamples.
    ``per_sample`` is the option ``sentence_bleu``; the others have the names of their options.
    """

    per_sample: bool
    use_aggregator: bool
    is_mean: bool
    n_resamples: int
    confidence: float | None
    detailed: bool
    signature: bool

    @property
    def plain(self) -> "Output":
        """Return what asks for one number per score."""
        return self._replace(
            per_sample=False, use_aggregator=True, confidence=None, detailed=False, signature=False
        )


class SearchPlan(NamedTuple):
    """What bounds the hits of a family's only score by the tokens that two texts share.

    The array of counts has the shape (references, 1, 3); ``make_nearest_index`` counts the plan.
    """

    array: str
    plan: CountPlan
    split_sentences: SentenceSplitter


class ScoreWarning(NamedTuple):
    """Scores that mislead, of which a warning is given once.

    ``applies`` returns whether what ``Score.score`` returned for all samples misleads; ``warn``
    explains it from the counts of all samples, and returns whether it warned.
    """

    name: str
    applies: Callable[[Mapping[str, Value]], bool]
    warn: Callable[[SampleCounts], bool]


@dataclass(frozen=True, kw_only=True)
class Score(ABC):
    """A family of scores, and its plan for some options.

    The attributes of the class are:

    Attributes:
        name: unique.
        group: what callers ask for. Families may share it; a profile has at most one of a group.
        tokenizer_option: name of the option that chooses the tokenizer.
        title: the score as papers write it.
        options: that only this family has, or this group.
        usual: names of its scores, or the most common ones; empty for the name of the family.
        parts: of a detailed score; a plain number is the last of them.
        columns: names of scores of samples in files, by score, if they are other names.
        aliases: keys of a result that a library uses for a score, with the name of the score.
        facts: keys of a result that are not scores, such as lengths.
        compared: values of options with which profiles are compared, unless the caller gives some.
        choice: of the plan: the tokenizer that was chosen.
        tokenizer: what the texts are counted with.
        names: of the scores, in the order of a result.
        scale: the score of a perfect prediction.
    """

    name: ClassVar[str]
    group: ClassVar[str]
    tokenizer_option: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    usual: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[tuple[str, ...]] = ("value",)
    columns: ClassVar[Mapping[str, str]] = {}
    aliases: ClassVar[Mapping[str, str]] = {}
    facts: ClassVar[frozenset[str]] = frozenset()
    compared: ClassVar[Mapping[str, Any]] = {}

    choice: Choice
    tokenizer: Tokenizer
    names: tuple[str, ...]
    scale: int = 1

    # What a family is asked without a plan.

    @classmethod
    @abstractmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        """Check values that depend on each other, normalise them in place, and return the plan."""

    @classmethod
    def find_tokenizer(cls, values: Values) -> Tokenizer:
        """Return the tokenizer that the option of the family chooses."""
        choice = values[cls.tokenizer_option]
        segmenter = values["segmenter"] if uses_segmenter(choice) else None
        return resolve_tokenizer(cls.tokenizer_option, choice, segmenter=segmenter)

    @classmethod
    def list_names(cls) -> tuple[str, ...]:
        """Return the names of its scores, or the most common ones."""
        return cls.usual or (cls.name,)

    @classmethod
    def has_score(cls, name: object) -> bool:
        """Return whether a score has this name."""
        return name in cls.list_names()

    @classmethod
    def check_name(cls, name: object) -> None:
        """Raise ValueError for a name that is nearly that of a score, and of no family."""

    @classmethod
    def owns(cls, key: str) -> bool:
        """Return whether a key of a result is a score of this family, or a bound of one."""
        names = (*cls.list_names(), *cls.aliases)
        return any(key == name or key.startswith(f"{name}_") for name in names)

    @classmethod
    def write_name(cls, score: str) -> str:
        """Return the name of a score as papers write it."""
        return cls.title if score == cls.name else score

    @classmethod
    def ask(cls, names: Sequence[str]) -> dict[str, Any]:
        """Return the options that request scores of these names."""
        return {}

    @classmethod
    def narrow(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return values for all families of the group without what this one cannot score."""
        return values

    # What is counted.

    @abstractmethod
    def layout(self) -> Mapping[str, Layout]:
        """Return the layout of each array of counts, by a name that no other group has."""

    @abstractmethod
    def count(self, samples: Batch) -> Mapping[str, Array]:
        """Count prepared samples, or pairs of a prepared pool, into the arrays of ``layout``."""

    @abstractmethod
    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        """Return a number per prediction and per reference that is 0 if it has no token."""

    @abstractmethod
    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        """List the counts that depend on references alone, to compare those of two systems."""

    @property
    def counted_by(self) -> tuple[object, ...]:
        """Return what decides the counts: two plans with equal ones count the same."""
        return type(self), self

    @property
    def plain_tokenizer(self) -> Tokenizer:
        """Return the tokenizer without limits, stop words and stemmer."""
        return self.tokenizer

    @property
    def word_remedies(self) -> Mapping[str, str]:
        """Return what to do with texts of a language whose words the tokenizer does not find."""
        return {}

    @property
    def sentence_types(self) -> tuple[str, ...]:
        """Return the scores that compare sentences, as they are requested."""
        return ()

    @property
    def line_types(self) -> tuple[str, ...]:
        """Return the scores for which the lines of a text are its sentences."""
        return ()

    @property
    def uses_ids(self) -> bool:
        """Return whether samples are token ids."""
        return self.choice == IDS

    def prepare(self, samples: TextsT) -> TextsT:
        """Return the texts that are counted, of samples or of a pool."""
        return samples

    def plan_search(self) -> SearchPlan | None:
        """Return how texts with high scores are searched; None if shared tokens bound no score."""
        return None

    def map_steps(self, wrap: Any) -> "Self":
        """Return the same with a function applied to every tokenizer and splitter."""
        return replace(self, tokenizer=wrap(self.tokenizer))

    def find_unscorable(self, samples: Samples) -> int | None:
        """Return the index of the first sample that is refused; None if all can be counted."""
        return None

    def prepare_check(self) -> Callable[[Samples], None] | None:
        """Return what warns of samples before they are counted, or raises ValueError; or None."""
        return None

    def check(self, counts: SampleCounts) -> None:
        """Raise ValueError if counts break a law that the counts of all texts obey."""

    # How counts become scores.

    @abstractmethod
    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return what ``metric.compute`` returns for all samples, at least one."""

    @abstractmethod
    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return the scores of every sample by name, each of shape (samples,)."""

    def score_details(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return the scores of every sample, and their parts such as ``rougeL_precision``."""
        return self.score_samples(counts)

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        """Return a column of scores of every sample by its name in a file."""
        found = self.score_samples(counts)
        return {self.columns.get(name, name): scores.tolist() for name, scores in found.items()}

    def find_key(self, score: str) -> str:
        """Return the key of a score in what ``score`` returns."""
        return score

    def name_compared(self, score: str) -> str:
        """Return the name under which a score is compared with those of other profiles."""
        return score

    def score_plainly(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, float]:
        """Return one number per score, by its name."""
        scores = self.score(counts, output.plain, seed)
        return {name: scores[self.find_key(name)] for name in self.names}

    def score_system(
        self, counts: SampleCounts, output: Output, seed: int
    ) -> tuple[dict[str, float], Mapping[str, Floats]]:
        """Return ``score_plainly``, and the scores of samples that decide wins, ties and losses."""
        return self.score_plainly(counts, output, seed), self.score_samples(counts)

    def sums(self, counts: SampleCounts) -> Mapping[str, Sums]:
        """Return the scores that depend on summed counts; the others are means of samples."""
        return {}

    def check_sums(self) -> None:
        """Raise ValueError if no score can be computed from summed counts."""

    def check_one_score(self, reason: str) -> None:
        """Raise ValueError if a score has several values; ``reason`` says why one is expected."""

    def check_counted(self, counted: "Self", values: Any) -> None:
        """Raise ValueError if counts of another plan do not suffice for scores by these options."""

    def resampled(self, counts: SampleCounts) -> Mapping[str, Sums]:
        """Return the scores that get an interval."""
        return self.sums(counts)

    def add_intervals(
        self, scores: dict[str, Value], counts: SampleCounts, output: Output, seed: int
    ) -> dict[str, Value]:
        """Return scores of all samples with their intervals, if requested."""
        if output.confidence is None:
            return scores
        sums = {self.find_key(name): sums for name, sums in self.resampled(counts).items()}
        return add_intervals(scores, sums, output.n_resamples, output.confidence, seed)

    def find_random_stream(self, output: Output) -> RandomStream | None:
        """Return which random stream draws resamples: one with a seed, or a fixed one."""
        return None if output.confidence is None else "seeded"

    def pair(self) -> PairScore | None:
        """Prepare the scores of single pairs; return None if only the slow path can."""
        return None

    def pair_result(self, output: Output) -> PairResult | None:
        """Prepare what ``score`` returns for single pairs; None if only the slow path can."""
        score_pair, names = self.pair(), self.names
        if score_pair is None or output.per_sample:
            return None

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            scores, has_tokens = score_pair(prediction, references)
            return dict(zip(names, scores, strict=True)) if has_tokens else None

        return score

    def warn(self, values: Values) -> None:
        """Warn of values of options without effect."""

    def prepare_score_warning(self) -> ScoreWarning | None:
        """Return what finds scores of all samples that mislead; None if none do."""
        return None

    # How scores are explained.

    def find_tokens(self, text: str) -> "FoundTokens":
        """Return the tokens of a text with their places."""
        # What explains scores is imported on demand, so that scoring starts sooner.
        from ..matching.texts import find_tokens

        return find_tokens(text, MappedText.of(text), self.tokenizer)

    def check_explained(self, texts: Sequence[str]) -> None:
        """Raise ValueError if texts, a prediction and its references, are too long to explain."""
        from ..matching.texts import check_tokens

        check_tokens(texts, self.tokenizer)

    def explain(self, texts: Sequence["FoundTokens"], counts: SampleCounts) -> "Explained":
        """Explain the scores of one sample from the tokens of its prediction and references."""
        from ..matching.texts import Explained

        return Explained({}, {}, {}, [])

    def steps(self, baseline: "Score") -> Iterator[tuple["Score", str]]:
        """Iterate over plans from a baseline to this one, and texts, or "" for ``explain_step``."""
        yield self, ""

    def explain_step(
        self, name: str, before: "Score", counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        """Describe what a step without a text changes in a score, from before to after."""
        is_rounding = is_last_digits(*values)
        return OTHER_ORDER if is_rounding else self.explain_change(name, before, counts, values)

    def explain_change(
        self, name: str, before: "Score", counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        """Describe a step that changes more than the last digits."""
        return f"the arithmetic of {self.name}"
