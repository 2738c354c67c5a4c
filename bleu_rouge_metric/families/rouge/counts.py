"""What ROUGE counts in texts: hits and totals of each type."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...counting.byte_limit import count_rouge_of_bytes
from ...counting.kernels import RougeCounts, count_rouge, is_weighted
from ...counting.pairs import RougePairs
from ...counting.pools import Batch
from ...counting.rouge_types import ROUGE_L, ROUGE_LSUM, ROUGE_N, parse_rouge_type, plan_counts
from ...samples.inputs import Samples
from ...samples.token_ids import IDS, IdRules
from ...text.sentences import SentenceSplitter, make_id_splitter, resolve_sentence_splitter
from ...text.steps import Truncation, make_truncation, read_exceptions, resolve_stop_words
from ...text.tokenizer import Tokenizer, make_id_tokenizer, make_rouge_tokenizer, uses_segmenter
from ...text.warnings import warn_of_slow_splitting, warn_of_stemmer, warn_of_stop_words
from ..counts import Array, Layout, SampleCounts, check_hits, find_first_row, shrink
from ..parts import PartScore
from ..score import SearchPlan, Values

if TYPE_CHECKING:
    from typing_extensions import Self

    from ...matching.texts import FoundTokens

# No text has as many tokens; f of f of it, which ROUGE-1.5.5 computes, does not overflow.
_MOST_TOKENS = 1 << 32


def read_rouge(counts: SampleCounts, types: tuple[str, ...]) -> RougeCounts:
    """Return the arrays of ROUGE; ``types`` are those that were counted."""
    arrays = counts.per_reference
    return RougeCounts(types, arrays["rouge"], arrays["rouge_weighted"])


@dataclass(frozen=True, kw_only=True)
class TypeScore(PartScore):
    """Scores of ROUGE types.

    Attributes:
        bare_tokenizer: the tokenizer without limits, stop words and stemmer.
        split_sentences: splits texts for ``rougeLsum`` and ``rougeW``.
        bare_split: the same without a limit.
        types: what is counted for each type that is requested.
        counted: the types that are counted, each once.
        sentence_types: the types that compare sentences, as they are requested.
        byte_limit: bytes that ROUGE-1.5.5 keeps of a text and of each sentence; None for no limit.
        lin2004: whether the paper decides what is counted, and not ROUGE-1.5.5.
        truncate: returns what a limit leaves of a text; None for no limit.
        stop_words: tokens that are left out.
    """

    bare_tokenizer: Tokenizer
    split_sentences: SentenceSplitter
    bare_split: SentenceSplitter
    types: Mapping[str, str]
    counted: tuple[str, ...]
    sentence_types: tuple[str, ...] = ()
    byte_limit: int | None = None
    lin2004: bool = False
    truncate: Truncation | None = None
    stop_words: Collection[str] = frozenset()

    @classmethod
    def plan_texts(cls, values: Values, ids: IdRules) -> dict[str, Any]:
        """Return the attributes that say how texts are prepared."""
        choice = values["rouge_tokenizer"]
        if choice == IDS:
            bare_tokenizer = tokenizer = make_id_tokenizer(ids.separator)
            bare_split = split = make_id_splitter(ids.separator)
        else:
            exceptions = values["stemmer_exceptions"]
            bare_tokenizer = cls.find_tokenizer(values)
            tokenizer = make_rouge_tokenizer(
                choice,
                use_stemmer=values["use_stemmer"],
                segmenter=values["segmenter"] if uses_segmenter(choice) else None,
                stemmer_exceptions=None if exceptions is None else read_exceptions(exceptions),
                stop_words=resolve_stop_words(values["stop_words"]),
                word_limit=values["word_limit"],
                byte_limit=values["byte_limit"],
            )
            bare_split = split = resolve_sentence_splitter(values["sentence_splitter"])
        truncate = make_truncation(values["word_limit"], values["byte_limit"])
        if truncate is not None and choice != IDS:
            split = replace(
                bare_split,
                function=lambda text: bare_split.function(truncate(text)),
                truncation=truncate,
            )
        return {
            "choice": choice,
            "tokenizer": tokenizer,
            "bare_tokenizer": bare_tokenizer,
            "split_sentences": split,
            "bare_split": bare_split,
            "truncate": truncate,
            "stop_words": resolve_stop_words(values["stop_words"]),
        }

    @property
    def counted_by(self) -> tuple[object, ...]:
        limits = self.byte_limit, self.lin2004, self.truncate, self.stop_words
        steps = self.tokenizer, self.bare_tokenizer, self.split_sentences, self.bare_split
        return "rouge", self.choice, self.counted, self.sentence_types, *steps, *limits

    @property
    def plain_tokenizer(self) -> Tokenizer:
        return self.bare_tokenizer

    @property
    def line_types(self) -> tuple[str, ...]:
        return self.sentence_types if self.split_sentences.takes_lines else ()

    @property
    def counts_pairs(self) -> bool:
        """Return whether single pairs can be counted: not token ids, ROUGE-W, or cut bytes."""
        is_plain = not self.uses_ids and self.byte_limit is None
        return is_plain and not any(map(is_weighted, self.counted))

    def layout(self) -> Mapping[str, Layout]:
        weighted = tuple(filter(is_weighted, self.counted))
        integers = tuple(name for name in self.counted if not is_weighted(name))
        return {
            "rouge": Layout(("i4", "i8"), (len(integers), 3), "reference", integers),
            "rouge_weighted": Layout(("f8",), (len(weighted), 3), "reference", weighted),
        }

    def count(self, samples: Batch) -> Mapping[str, Array]:
        if self.byte_limit is None:
            counts = count_rouge(
                samples, self.counted, self.tokenizer, self.split_sentences, lin2004=self.lin2004
            )
        else:
            counts = count_rouge_of_bytes(
                samples, self.counted, self.tokenizer, self.bare_split, self.byte_limit
            )
        return {"rouge": shrink(counts.integers), "rouge_weighted": counts.weighted}

    def plan_search(self) -> SearchPlan | None:
        """Return the search of ``rouge1`` and ``rougeL``."""
        if self.counted not in {(ROUGE_N[0],), (ROUGE_L,)}:
            return None
        plan, _ = plan_counts([*map(parse_rouge_type, self.counted)], lin2004=self.lin2004)
        return SearchPlan("rouge", plan, self.split_sentences)

    def count_pairs(self) -> tuple[RougePairs, list[tuple[int, ...]]]:
        """Return what counts single pairs, and where the hits of each requested type are."""
        counted = self.counted
        pairs = RougePairs(counted, self.tokenizer, self.split_sentences, lin2004=self.lin2004)
        return pairs, [pairs.columns[counted.index(name)] for name in self.types.values()]

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        triples = read_rouge(counts, self.counted).of(self.counted[0])
        return triples[counts.offsets[:-1], 1], triples[:, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        return [counts["rouge"][..., 2], counts["rouge_weighted"][..., 2]]

    def map_steps(self, wrap: Any) -> "Self":
        return replace(
            self,
            tokenizer=wrap(self.tokenizer),
            split_sentences=wrap(self.split_sentences),
            bare_split=wrap(self.bare_split),
        )

    def check(self, counts: SampleCounts) -> None:
        for name, triples in read_rouge(counts, self.counted).by_type().items():
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
        row = find_first_row(triples[:, 1:] > limits)
        if row is not None:
            raise ValueError(
                f"rouge_weighted[{row}] has totals of {triples[row, 1]} and {triples[row, 2]} of "
                f"{name}; expected at most {limits[0]} and {limits[1]}, because no text is longer."
            )
        most = triples[:, 1:].min(axis=1) ** weight if self.lin2004 else triples[:, 2]
        # The sums are rounded, each in its own order.
        row = find_first_row((triples[:, 0] > most * (1 + 1e-9))[:, np.newaxis])
        if row is not None:
            raise ValueError(
                f"rouge_weighted[{row}] has weighted hits of {triples[row, 0]} of {name}; expected "
                f"at most {most[row]}, with which the texts would be equal."
            )

    def prepare_check(self) -> Callable[[Samples], None] | None:
        if not self.sentence_types or not self.bare_split.is_quadratic:
            return None
        return warn_of_slow_splitting

    def warn(self, values: Values) -> None:
        warn_of_stemmer(values["use_stemmer"], values["rouge_tokenizer"])
        warn_of_stop_words(values["stop_words"], self.choice, self.bare_tokenizer)

    def find_tokens(self, text: str) -> "FoundTokens":
        from .explanation import find_rouge_tokens

        return find_rouge_tokens(text, self)

    def check_explained(self, texts: Sequence[str]) -> None:
        super().check_explained(texts)
        from .explanation import check_sentences

        check_sentences(texts, self)
