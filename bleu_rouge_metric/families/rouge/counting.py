"""What ROUGE counts in texts: hits and totals of each type."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...counting.byte_limit import count_rouge_of_bytes
from ...counting.kernels import RougeCounts, count_rouge, is_weighted
from ...counting.pairs import RougePairs
from ...counting.pools import Batch
from ...counting.rouge_types import ROUGE_L, ROUGE_LSUM, ROUGE_N, parse_rouge_type, plan_counts
from ...samples.inputs import Samples
from ...text.sentences import MOST_PYSBD_CHARACTERS, SentenceSplitter
from ...text.tokenizer import Tokenizer
from ...text.truncation import Truncation
from ...text.warnings import warn_of_slow_splitting
from ..base import Counting, SearchPlan
from ..counts import Array, Layout, SampleCounts, shrink
from ..laws import check_hits, find_first

if TYPE_CHECKING:
    from ...matching.texts import FoundTokens

# No text has as many tokens; f of f of it, which ROUGE-1.5.5 computes, does not overflow.
_MOST_TOKENS = 1 << 32


@dataclass(frozen=True, kw_only=True)
class RougeCounting(Counting):
    """What ROUGE counts.

    Attributes:
        bare_tokenizer: the tokenizer without limits, stop words and stemmer.
        split_sentences: splits texts for ``rougeLsum`` and ``rougeW``.
        bare_split: the same without a limit.
        types: that are counted, each once.
        sentence_types: the types that compare sentences, as they are requested.
        byte_limit: bytes that ROUGE-1.5.5 keeps of a text and of each sentence; None for no limit.
        lin2004: whether the paper decides what is counted, and not ROUGE-1.5.5.
        truncate: returns what a limit leaves of a text; None for no limit.
        stop_words: tokens that are left out.
    """

    bare_tokenizer: Tokenizer
    split_sentences: SentenceSplitter
    bare_split: SentenceSplitter
    types: tuple[str, ...]
    sentence_types: tuple[str, ...] = ()
    byte_limit: int | None = None
    lin2004: bool = False
    truncate: Truncation | None = None
    stop_words: Collection[str] = frozenset()

    @property
    def plain_tokenizer(self) -> Tokenizer:
        """Return the tokenizer without limits, stop words and stemmer."""
        return self.bare_tokenizer

    @property
    def line_types(self) -> tuple[str, ...]:
        """Return the types for which the lines of a text are its sentences."""
        return self.sentence_types if self.split_sentences.takes_lines else ()

    @property
    def counts_pairs(self) -> bool:
        """Return whether single pairs can be counted: not token ids, ROUGE-W, or cut bytes."""
        is_plain = not self.uses_ids and self.byte_limit is None
        return is_plain and not any(map(is_weighted, self.types))

    def layout(self) -> Mapping[str, Layout]:
        """Return the layout of integers and of ROUGE-W's floats, with an Arrow column per type."""
        weighted = tuple(filter(is_weighted, self.types))
        integers = tuple(name for name in self.types if not is_weighted(name))
        return {
            "rouge": Layout(("i4", "i8"), (len(integers), 3), "reference", integers),
            "rouge_weighted": Layout(("f8",), (len(weighted), 3), "reference", weighted),
        }

    def count(self, samples: Batch) -> Mapping[str, Array]:
        """Count samples."""
        if self.byte_limit is None:
            counts = count_rouge(
                samples, self.types, self.tokenizer, self.split_sentences, lin2004=self.lin2004
            )
        else:
            counts = count_rouge_of_bytes(
                samples, self.types, self.tokenizer, self.bare_split, self.byte_limit
            )
        return {"rouge": shrink(counts.integers), "rouge_weighted": counts.weighted}

    def plan_search(self) -> SearchPlan | None:
        """Return the search of ``rouge1`` and ``rougeL``."""
        if self.types not in {(ROUGE_N[0],), (ROUGE_L,)}:
            return None
        plan, _ = plan_counts([*map(parse_rouge_type, self.types)], lin2004=self.lin2004)
        return SearchPlan("rouge", plan, self.split_sentences)

    def count_pairs(self, types: Sequence[str]) -> tuple[RougePairs, list[tuple[int, ...]]]:
        """Return what counts single pairs, and where the hits of each of some types are."""
        pairs = RougePairs(self.types, self.tokenizer, self.split_sentences, lin2004=self.lin2004)
        return pairs, [pairs.columns[self.types.index(name)] for name in types]

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        """Return the totals of the first type."""
        triples = read_rouge(counts, self.types).by_type()[self.types[0]]
        return triples[counts.offsets[:-1], 1], triples[:, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        """List the totals of references."""
        return [counts["rouge"][..., 2], counts["rouge_weighted"][..., 2]]

    def map_steps(self, wrap: Any) -> "RougeCounting":
        """Return the same with a function applied to the tokenizer and both splitters."""
        return replace(
            self,
            tokenizer=wrap(self.tokenizer),
            split_sentences=wrap(self.split_sentences),
            bare_split=wrap(self.bare_split),
        )

    def check(self, counts: SampleCounts) -> None:
        """Raise ValueError if there are more hits than anything that could be hit."""
        for name, triples in read_rouge(counts, self.types).by_type().items():
            if is_weighted(name):
                self._check_weighted(name, triples)
            else:
                # The paper does not clip the union LCS by the prediction; see count_union_lcs.
                totals = (2,) if self.lin2004 and name == ROUGE_LSUM else (1, 2)
                check_hits("rouge", name, triples, totals)

    def _check_weighted(self, name: str, triples: Any) -> None:
        """Raise ValueError if ROUGE-W has more hits or tokens than any text."""
        # f(k) = k ** weight, with a weight of at least 1: runs count at most what they would in one
        # piece. The paper's totals are tokens; the program's are f of the reference's sentences.
        weight = parse_rouge_type(name).weight
        tokens = float(_MOST_TOKENS)
        limits = np.array([tokens, tokens if self.lin2004 else tokens**weight])
        row = find_first(triples[:, 1:] > limits)
        if row is not None:
            raise ValueError(
                f"rouge_weighted[{row}] has totals of {triples[row, 1]} and {triples[row, 2]} of "
                f"{name}; expected at most {limits[0]} and {limits[1]}, because no text is longer."
            )
        most = triples[:, 1:].min(axis=1) ** weight if self.lin2004 else triples[:, 2]
        # The sums are rounded, each in its own order.
        row = find_first((triples[:, 0] > most * (1 + 1e-9))[:, np.newaxis])
        if row is not None:
            raise ValueError(
                f"rouge_weighted[{row}] has weighted hits of {triples[row, 0]} of {name}; expected "
                f"at most {most[row]}, with which the texts would be equal."
            )

    def find_tokens(self, text: str) -> "FoundTokens":
        """Return the tokens of a text and, if a type compares these, of its sentences."""
        from .tokens import find_rouge_tokens

        return find_rouge_tokens(text, self)

    def check_explained(self, texts: Sequence[str]) -> None:
        """Raise ValueError if texts have too many tokens or sentences to be explained."""
        super().check_explained(texts)
        from .tokens import check_sentences

        check_sentences(texts, self)

    def prepare_check(self) -> Callable[[Samples], None] | None:
        """Return what warns of texts that pysbd splits slowly."""
        if not self.sentence_types or not self.bare_split.is_quadratic:
            return None
        return partial(warn_of_slow_splitting, most=MOST_PYSBD_CHARACTERS)


def read_rouge(counts: SampleCounts, types: tuple[str, ...]) -> RougeCounts:
    """Return the arrays of ROUGE; ``types`` are those that were counted."""
    arrays = counts.per_reference
    return RougeCounts(types, arrays["rouge"], arrays["rouge_weighted"])
