"""What BLEU counts in texts: n-gram matches and lengths."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...counting.kernels import BleuCounts, count_bleu
from ...counting.pools import Batch, TextsT
from ...samples.token_ids import IDS, IdRules
from ...text.id_tokens import make_id_tokenizer
from ...text.mapped_text import MappedText
from ...text.tokenizer import Tokenizer, lower_texts
from ...text.tokenizer_choice import resolve_tokenizer
from ...text.tokenizers import uses_segmenter
from ..base import Counting, Values
from ..counts import Array, Layout, SampleCounts
from ..laws import find_first

if TYPE_CHECKING:
    from ...matching.texts import FoundTokens


@dataclass(frozen=True, kw_only=True)
class NgramCounting(Counting):
    """What BLEU and GLEU count.

    Attributes:
        max_order: the highest n-gram order that is counted.
        strips_end: whether white space at the end of a text is removed.
    """

    max_order: int
    strips_end: bool = False

    def prepare(self, samples: TextsT) -> TextsT:
        """Return the texts that are counted."""
        if self.strips_end:
            # Parity: sacrebleu, BLEU._preprocess_segment: no white space at the end, so that 13a
            # keeps the hyphen of "-\n" there. Lower case, which sacrebleu makes before, adds none.
            samples = samples.map_texts(str.rstrip)
        return samples

    def find_tokens(self, text: str) -> "FoundTokens":
        """Return the tokens of a text, prepared as the samples are."""
        from ...matching.texts import find_tokens

        mapped = MappedText.of(text)
        if self.tokenizer.lowercase:
            mapped = mapped.map_characters(str.lower)
        if self.strips_end:
            mapped = mapped.strip_end()
        return find_tokens(text, mapped, self.tokenizer)


@dataclass(frozen=True, kw_only=True)
class BleuCounting(NgramCounting):
    """What BLEU counts: matches of orders 1 to ``max_order``, and lengths."""

    def layout(self) -> Mapping[str, Layout]:
        """Return the layout of matches and lengths."""
        matches = Layout(("i4",), (self.max_order,), columns=("bleu_matches",), may_be_wider=True)
        return {
            "bleu_matches": matches,
            "bleu_prediction_lengths": Layout(("i4",), columns=("bleu_prediction_length",)),
            "bleu_reference_lengths": Layout(
                ("i4",), per="reference", columns=("bleu_reference_lengths",)
            ),
        }

    def count(self, samples: Batch) -> Mapping[str, Array]:
        """Count samples into int32 arrays."""
        counts = count_bleu(samples, self.max_order, self.tokenizer)
        return {f"bleu_{name}": array.astype(np.int32) for name, array in counts._asdict().items()}

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        """Return the lengths of predictions and references."""
        lengths = counts.per_sample["bleu_prediction_lengths"]
        return lengths, counts.per_reference["bleu_reference_lengths"]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        """List the lengths of references."""
        return [counts["bleu_reference_lengths"]]

    def check(self, counts: SampleCounts) -> None:
        """Raise ValueError if a prediction has more matches than n-grams."""
        matches = counts["bleu_matches"]
        lengths = counts["bleu_prediction_lengths"][:, np.newaxis].astype(np.int64)
        most = np.maximum(lengths - np.arange(matches.shape[1]), 0)
        row = find_first(matches > most)
        if row is not None:
            raise ValueError(
                f"bleu_matches[{row}] is {matches[row].tolist()}, but a prediction of "
                f"{lengths[row, 0]} tokens has {most[row].tolist()} n-grams; expected no more "
                "matches."
            )


def read_bleu(counts: SampleCounts) -> BleuCounts:
    """Return the arrays of BLEU."""
    ours = counts.per_sample
    lengths = counts.per_reference["bleu_reference_lengths"]
    return BleuCounts(ours["bleu_matches"], ours["bleu_prediction_lengths"], lengths)


def make_tokenizer(values: Values, ids: IdRules) -> Tokenizer:
    """Make the tokenizer of BLEU and GLEU."""
    choice = values["bleu_tokenizer"]
    if choice == IDS:
        return make_id_tokenizer(ids.separator)
    segmenter = values["segmenter"] if uses_segmenter(choice) else None
    tokenizer = resolve_tokenizer("bleu_tokenizer", choice, segmenter=segmenter)
    return lower_texts(tokenizer) if values["lowercase"] else tokenizer
