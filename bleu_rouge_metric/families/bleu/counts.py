"""What BLEU and its kin count in texts: n-gram matches and lengths."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...counting.kernels import BleuCounts, count_bleu
from ...counting.pairs import BleuPairs
from ...counting.pools import Batch, TextsT
from ...samples.token_ids import IDS, IdRules
from ...text.align import MappedText
from ...text.tokenizer import Tokenizer, lower_texts, make_id_tokenizer
from ..counts import Array, Layout, SampleCounts, find_first_row
from ..score import Output, PairResult, PairScore, Score, Value, Values
from .rules import BleuRules
from .statistics import prepare_reference_length

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens


def read_bleu(counts: SampleCounts) -> BleuCounts:
    """Return the arrays of BLEU."""
    ours = counts.per_sample
    lengths = counts.per_reference["bleu_reference_lengths"]
    return BleuCounts(ours["bleu_matches"], ours["bleu_prediction_lengths"], lengths)


@dataclass(frozen=True, kw_only=True)
class NgramScore(Score):
    """Scores of n-grams whose texts are prepared by BLEU's options.

    Attributes:
        strips_end: whether white space at the end of a text is removed.
    """

    group: ClassVar[str] = "bleu"
    tokenizer_option: ClassVar[str] = "bleu_tokenizer"

    strips_end: bool = False

    @classmethod
    def make_tokenizer(cls, values: Values, ids: IdRules) -> Tokenizer:
        """Make the tokenizer of token ids, or of texts."""
        if values["bleu_tokenizer"] == IDS:
            return make_id_tokenizer(ids.separator)
        tokenizer = cls.find_tokenizer(values)
        return lower_texts(tokenizer) if values["lowercase"] else tokenizer

    def prepare(self, samples: TextsT) -> TextsT:
        # Parity: sacrebleu, BLEU._preprocess_segment: no white space at the end, so that 13a keeps
        # the hyphen of "-\n" there. Lower case, which sacrebleu makes before, adds none.
        return samples.map_texts(str.rstrip) if self.strips_end else samples

    def find_tokens(self, text: str) -> "FoundTokens":
        from ...matching.texts import find_tokens

        mapped = MappedText.of(text)
        if self.tokenizer.lowercase:
            mapped = mapped.lower()
        if self.strips_end:
            mapped = mapped.rstrip()
        return find_tokens(text, mapped, self.tokenizer)


@dataclass(frozen=True, kw_only=True)
class LengthScore(NgramScore):
    """Scores of which those of a sample depend on its matches and on two lengths.

    Attributes:
        rules: how counts become scores, and which reference counts.
    """

    rules: BleuRules

    @property
    def max_order(self) -> int:
        """Return the highest n-gram order that is counted."""
        return self.rules.counted_order

    @property
    def counted_by(self) -> tuple[object, ...]:
        """Return what decides the matches and lengths, which all these families share."""
        return "bleu", self.choice, self.tokenizer, self.max_order, self.strips_end

    def layout(self) -> Mapping[str, Layout]:
        order, name = (self.max_order,), "bleu_reference_lengths"
        return {
            "bleu_matches": Layout(("i4",), order, columns=("bleu_matches",), may_be_wider=True),
            "bleu_prediction_lengths": Layout(("i4",), columns=("bleu_prediction_length",)),
            name: Layout(("i4",), per="reference", columns=(name,)),
        }

    def count(self, samples: Batch) -> Mapping[str, Array]:
        counts = count_bleu(samples, self.max_order, self.tokenizer)
        return {f"bleu_{name}": array.astype(np.int32) for name, array in counts._asdict().items()}

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        lengths = counts.per_sample["bleu_prediction_lengths"]
        return lengths, counts.per_reference["bleu_reference_lengths"]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        return [counts["bleu_reference_lengths"]]

    def check(self, counts: SampleCounts) -> None:
        matches = counts["bleu_matches"]
        lengths = counts["bleu_prediction_lengths"][:, np.newaxis].astype(np.int64)
        most = np.maximum(lengths - np.arange(matches.shape[1]), 0)
        row = find_first_row(matches > most)
        if row is not None:
            raise ValueError(
                f"bleu_matches[{row}] is {matches[row].tolist()}, but a prediction of "
                f"{lengths[row, 0]} tokens has {most[row].tolist()} n-grams; expected no more "
                "matches."
            )

    @abstractmethod
    def score_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> Sequence[float]:
        """Return the scores of a sample, in the order of the names."""

    def describe_one(
        self, matches: Sequence[int], length: int, reference_length: float
    ) -> dict[str, Value]:
        """Return what ``score`` returns for a sample."""
        return dict(zip(self.names, self.score_one(matches, length, reference_length), strict=True))

    def pair(self) -> PairScore | None:
        if self.uses_ids:
            return None
        score_pair = self.prepare_counted(self.score_one)

        def score(prediction: str, references: list[str]) -> tuple[Sequence[float], bool]:
            (scores,), has_tokens = score_pair(prediction, references)
            return scores, has_tokens

        return score

    def pair_result(self, output: Output) -> PairResult | None:
        if self.uses_ids or output.per_sample:
            return None
        score_pair = self.prepare_counted(self.describe_one)

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            (scores,), has_tokens = score_pair(prediction, references)
            return scores if has_tokens else None

        return score

    def prepare_counted(
        self, score: Callable[[Sequence[int], int, float], Any]
    ) -> Callable[[str, list[str]], tuple[tuple[Any], bool]]:
        """Prepare what ``score`` makes of matches, prediction length and reference length."""
        order = self.max_order
        count, first = BleuPairs(self.tokenizer, order).count, order + 1
        choose, strips_end = prepare_reference_length(self.rules), self.strips_end

        def score_pair(prediction: str, references: list[str]) -> tuple[tuple[Any], bool]:
            if strips_end:
                # As ``prepare``.
                prediction, references = prediction.rstrip(), [text.rstrip() for text in references]
            numbers = count(prediction, references)
            length, lengths = numbers[order], numbers[first:]
            reference_length = lengths[0] if len(lengths) == 1 else choose(length, lengths)
            result = score(numbers[:order], length, reference_length)
            return (result,), 0 not in lengths and length > 0

        return score_pair

    @abstractmethod
    def explain_product(self, counts: BleuCounts) -> tuple[Any, list[str]]:
        """Explain the score of a sample as a product, and list why it is 0, or close to it."""

    def explain(self, texts: Sequence["FoundTokens"], counts: SampleCounts) -> "Explained":
        """Explain the score, the last one if there are several, by the n-grams that match."""
        from ...matching.ngrams import match_together
        from ...matching.texts import Explained

        product, notes = self.explain_product(read_bleu(counts))
        prediction, *references = [text.forms for text in texts]
        matches = match_together(prediction, references, self.max_order)
        return Explained({self.names[-1]: matches}, {}, {"bleu": product}, notes)
