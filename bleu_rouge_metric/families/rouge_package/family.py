"""ROUGE of ``rouge`` and ``rouge-chinese``: sets of n-grams, and the LCS of sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...counting.kernels import count_columns
from ...counting.pairs import PlanPairs, make_sample
from ...counting.pools import Batch, TextsT
from ...messages import Argument, value_error
from ...samples.inputs import Samples
from ...samples.token_ids import IDS, IdRules
from ...text.align import MappedText, Token, align_sentences, align_tokens
from ...text.sentences import (
    CHINESE,
    FULL_STOPS,
    NEWLINE,
    SentenceRules,
    SentenceSplitter,
    make_id_splitter,
    split_newline,
)
from ...text.tokenizer import Tokenizer, make_id_tokenizer
from ..counts import Array, Layout, SampleCounts, check_hits, find_first_row, shrink
from ..parts import PartScore, RougeScores
from ..rouge.family import Rouge
from ..score import Floats, Output, PairScore, Score, SearchPlan, Values
from .types import (
    NAMES,
    average,
    measure,
    plan_types,
    score_triple,
    score_triples,
    to_type,
    to_types,
    warn_of_empty_texts,
)

if TYPE_CHECKING:
    from typing_extensions import Self

    from ...matching.texts import Explained, FoundTokens

# The name of the array of counts.
ARRAY: Final = "rouge_package"

# The tokenizers that split at white space alone.
_WHITESPACE: Final = ("whitespace", "none")

# What changes in the arithmetic of rouge_score, for ``compare_profiles``.
_FORMULA: Final = (
    "the F-measure has 1e-8 in its denominator, and the mean is summed from left to right"
)
_WORDS: Final = (
    "the marks at which sentences end separate words, and a blank sentence counts as one word"
)
_ONCE: Final = "each distinct n-gram counts once"
_UNION: Final = "the distinct words of the LCS of all pairs of sentences"
_SUM: Final = "the LCS of all pairs of sentences, whose lengths are summed"

# From a prediction and its references to hits and both totals of each type.
CountPair = Callable[[str, list[str]], list[tuple[int, int, int]]]


@dataclass(frozen=True, kw_only=True)
class RougePackage(PartScore):
    """ROUGE of one reference; the convention is ``rouge`` or ``rouge-chinese``.

    Attributes:
        profile: its name, for errors.
        types: that are counted, each once, by their names in the other profiles.
        exclusive: whether each n-gram of a text counts once, and for ``rougeL`` each word.
        pairs: whether ``rougeL`` is counted by pairs of sentences; else it is the LCS of the texts.
        line_tokenizer: the tokenizer of one line.
        sentence_rules: how a text is split into sentences; None for token ids.
        split_sentences: splits what is counted: the lines that the rules write, or token ids.
    """

    name: ClassVar[str] = "rouge_package"
    title: ClassVar[str] = "ROUGE"
    usual: ClassVar[tuple[str, ...]] = tuple(NAMES.values())
    keys: ClassVar[Mapping[str, str]] = {"r": "recall", "p": "precision", "f": "fmeasure"}
    parts: ClassVar[tuple[str, ...]] = tuple(keys)

    profile: str
    types: tuple[str, ...]
    exclusive: bool
    pairs: bool
    line_tokenizer: Tokenizer
    sentence_rules: SentenceRules | None
    split_sentences: SentenceSplitter

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        choice, types = values["rouge_tokenizer"], to_types(values["rouge_types"])
        values["rouge_types"] = types
        is_rouge, is_text = convention == "rouge", choice != IDS
        tokenizer = cls.find_tokenizer(values) if is_text else make_id_tokenizer(ids.separator)
        sentences = FULL_STOPS if is_rouge else CHINESE
        return cls(
            choice=choice,
            tokenizer=_keep_lines(tokenizer) if is_text else tokenizer,
            names=tuple(NAMES[name] for name in types),
            line_tokenizer=tokenizer,
            profile=convention,
            types=types,
            exclusive=values["exclusive"],
            # Parity: rouge-chinese has one LCS of all words, whatever "exclusive" is.
            pairs=is_rouge,
            sentence_rules=sentences if is_text else None,
            split_sentences=NEWLINE if is_text else make_id_splitter(ids.separator),
        )

    @classmethod
    def write_name(cls, score: str) -> str:
        return score.upper()

    @classmethod
    def ask(cls, names: Sequence[str]) -> dict[str, Any]:
        return {"rouge_types": [*names]}

    @classmethod
    def narrow(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        types = [name for name in values.get("rouge_types", ()) if to_type(name)]
        others = {name: value for name, value in values.items() if name != "rouge_types"}
        return {**others, "rouge_types": types} if types else others

    @property
    def word_remedies(self) -> Mapping[str, str]:
        """Return what those who publish scores of Chinese do."""
        return {"Chinese": 'pass words with spaces between them: " ".join(jieba.cut(text)).'}

    @property
    def keeps_blank(self) -> bool:
        """Return whether a sentence of white space has a word, the empty one."""
        # Parity: the libraries split " ".join(sentence.split()) at blanks, which gives [""].
        return self.choice in _WHITESPACE

    def layout(self) -> Mapping[str, Layout]:
        return {ARRAY: Layout(("i4", "i8"), (len(self.types), 3), "reference", self.names)}

    def prepare(self, samples: TextsT) -> TextsT:
        if self.sentence_rules is None:
            return samples
        write = partial(self.sentence_rules.write_lines, keeps_blank=self.keeps_blank)
        return samples.map_texts(write)

    def count(self, samples: Batch) -> Mapping[str, Array]:
        plan, columns = plan_types(self.types, once=self.exclusive, pairs=self.pairs)
        counts = count_columns(samples, plan, self.tokenizer, self.split_sentences)
        return {ARRAY: shrink(counts[:, columns])}

    def plan_search(self) -> SearchPlan | None:
        """Return the search of ``rouge-1`` and ``rouge-l``, of which each word counts once."""
        if not self.exclusive or self.types not in {("rouge1",), ("rougeL",)}:
            return None
        plan, _ = plan_types(self.types, once=True, pairs=self.pairs)
        if plan.lcs:
            return None  # a word counts as often as the LCS has it
        return SearchPlan(ARRAY, plan, self.split_sentences)

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        triples = counts[ARRAY][:, 0]
        return triples[counts.offsets[:-1], 1], triples[:, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        return [counts[ARRAY][..., 2]]

    def map_steps(self, wrap: Any) -> "Self":
        return replace(
            self, tokenizer=wrap(self.tokenizer), split_sentences=wrap(self.split_sentences)
        )

    def check(self, counts: SampleCounts) -> None:
        for place, name in enumerate(self.types):
            triples = counts[ARRAY][:, place]
            if name != "rougeL" or self.exclusive or not self.pairs:
                check_hits(ARRAY, NAMES[name], triples)
                continue
            # A word of the prediction is hit at most by each word of the reference.
            most = triples[:, 1].astype(np.int64) * triples[:, 2]
            row = find_first_row((triples[:, 0] > most)[:, np.newaxis])
            if row is not None:
                raise ValueError(
                    f"{ARRAY}[{row}] has {triples[row, 0]} hits of {NAMES[name]}; expected at most "
                    f"{most[row]}, the product of both totals."
                )

    def find_unscorable(self, samples: Samples) -> int | None:
        return find_first_row(np.diff(samples.offsets) > 1)

    def prepare_check(self) -> Callable[[Samples], None]:
        return self._check_samples

    def _check_samples(self, samples: Samples) -> None:
        index = self.find_unscorable(samples)
        if index is not None:
            count = int(samples.offsets[index + 1] - samples.offsets[index])
            raise value_error(
                "{} has {} texts, but {profile} {!r} compares with one reference",
                *(Argument(f"references[{index}]"), count, self.profile),
                remedy="give one reference per prediction, or choose another profile.",
            )
        if self.sentence_rules is not None:
            warn_of_empty_texts(samples, self.sentence_rules.split, self.profile)

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        for name, triples in zip(self.names, counts[ARRAY].swapaxes(0, 1), strict=True):
            yield name, score_triples(triples)

    def average(self, values: Floats) -> float:
        return average(values)

    def name_compared(self, score: str) -> str:
        return to_type(score) or score

    def pair(self) -> PairScore | None:
        count = self.prepare_counts()
        if count is None:
            return None

        def score(prediction: str, references: list[str]) -> tuple[list[float], bool]:
            triples = count(prediction, references)
            has_totals = all(predicted and referred for _, predicted, referred in triples)
            return [score_triple(*triple)[2] for triple in triples], has_totals

        return score

    def pair_result(self, output: Output) -> None:
        """Return None: a pair that the fast path leaves to the slow path would warn twice."""

    def prepare_counts(self) -> CountPair | None:
        """Prepare the counts of single pairs; return None if only batches can be counted.

        The function that is returned raises and warns as ``prepare_check`` does.
        """
        if self.sentence_rules is None:
            return None
        write, keeps_blank = self.sentence_rules.write_lines, self.keeps_blank
        plan, columns = plan_types(self.types, once=self.exclusive, pairs=self.pairs)
        count_plan = PlanPairs(plan, self.tokenizer, self.split_sentences).count
        places = [3 * column for column in columns]
        check = self.prepare_check()

        def count(prediction: str, references: list[str]) -> list[tuple[int, int, int]]:
            reference = references[0]
            ours = write(prediction, keeps_blank=keeps_blank)
            theirs = write(reference, keeps_blank=keeps_blank)
            # Fast path: other texts pass. A text without a sentence has no line.
            if len(references) > 1 or not (ours and theirs):
                check(make_sample(prediction, references))
            numbers = count_plan(ours, [theirs])
            return [(numbers[at], numbers[at + 1], numbers[at + 2]) for at in places]

        return count

    def find_tokens(self, text: str) -> "FoundTokens":
        from ...matching.texts import FoundTokens

        mapped, rules = MappedText.of(text), self.sentence_rules
        split = self.split_sentences.function if rules is None else rules.split
        places = align_sentences(mapped, split(text))
        sentences = [self._find_words(text, place) for place in places]
        tokens = list(chain.from_iterable(sentences))
        kept = [sentence for sentence in sentences if sentence]
        inside = {at for place in places for at in place.starts}
        marks = [at for at, sign in enumerate(text) if at not in inside and not sign.isspace()]
        return FoundTokens(text, tokens, [token.form for token in tokens], [], mapped, kept, marks)

    def _find_words(self, text: str, sentence: MappedText) -> list[Token]:
        found = align_tokens(text, sentence, self.line_tokenizer)
        is_blank = not found and self.keeps_blank
        return [Token("", sentence.starts[0], sentence.starts[0], "")] if is_blank else found

    def check_explained(self, texts: Sequence[str]) -> None:
        super().check_explained(texts)
        from ..rouge.explanation import check_sentence_pairs

        if self.pairs and self.sentence_rules is not None:
            counts = [len(self.sentence_rules.split(text)) for text in texts]
            check_sentence_pairs(counts, "'rouge-l'")

    def explain(self, texts: Sequence["FoundTokens"], counts: SampleCounts) -> "Explained":
        from .explanation import explain_types

        return explain_types(self, texts, counts[ARRAY][0], dict(self.score_parts(counts)))

    def steps(self, baseline: Score) -> Iterator[tuple[Score, str]]:
        if isinstance(baseline, Rouge):
            types = {name: name for name in self.types}
            fields = {**vars(baseline), "names": self.types, "types": types, "sentence_types": ()}
            fields["counted"] = self.types
            yield _Measured(**fields), _FORMULA
            lines = _Lines(**{**fields, "tokenizer": self.tokenizer, "source": self})
            yield lines, _WORDS
        yield self, ""

    def explain_change(
        self, name: str, before: Score, counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        if name != "rougeL":
            return _ONCE
        return _UNION if self.exclusive else _SUM


class _Measured(Rouge):
    """ROUGE with the F-measure and the mean of ``rouge``, a step of a comparison."""

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        for name, (precision, recall, _) in super().score_parts(counts):
            yield name, RougeScores(precision, recall, measure(precision, recall))

    def average(self, values: Floats) -> float:
        return average(values)


@dataclass(frozen=True, kw_only=True)
class _Lines(_Measured):
    """The same of the sentences of ``rouge``."""

    source: RougePackage

    @property
    def counted_by(self) -> tuple[object, ...]:
        return *super().counted_by, self.source

    def prepare(self, samples: TextsT) -> TextsT:
        return self.source.prepare(samples)


def _keep_lines(tokenizer: Tokenizer) -> Tokenizer:
    """Return a tokenizer of texts with one sentence per line, which finds the words of lines."""
    if tokenizer.keeps_lines:
        return tokenizer
    tokenize = tokenizer.function
    return Tokenizer(
        tokenizer.name,
        lambda text: [word for line in split_newline(text) for word in tokenize(line)],
        keeps_lines=True,
    )
