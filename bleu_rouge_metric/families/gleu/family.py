"""GLEU, which evaluate calls google_bleu, as the rest of the package sees it.

Callers ask for it as BLEU with ``profile="google_bleu"``, and prepare texts by BLEU's options.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...counting.kernels import count_rouge
from ...counting.pools import Batch
from ...counting.rouge_types import ROUGE_N
from ...resampling.draws import Statistic
from ...samples.token_ids import IdRules
from ...text.sentences import NEWLINE
from ...text.warnings import warn_of_smoothing
from ..arithmetic import OTHER_ORDER, is_last_digits
from ..base import Counting, Floats, Output, Scoring, Value, Values
from ..bleu.counting import NgramCounting, make_tokenizer
from ..bleu.rules import BleuRules, check_bleu_rules
from ..counts import Array, Layout, SampleCounts, shrink
from ..family import Change, Family, Pair
from ..laws import check_hits
from ..sums import Sums
from .formula import choose_references, score_gleu, score_gleu_rows, score_gleu_sentences

if TYPE_CHECKING:
    from ...matching.texts import Explained, FoundTokens

NAME: Final = "google_bleu"

_ZERO: Final = "Google BLEU is 0: no n-gram of the prediction occurs in a reference."
_ANOTHER_SCORE: Final = (
    "GLEU, another score: the smaller one of precision and recall over the n-grams of all orders "
    "together, without smoothing, weights and brevity penalty"
)


@dataclass(frozen=True, kw_only=True)
class GleuCounting(NgramCounting):
    """What GLEU counts: the n-gram overlap with each reference."""

    def layout(self) -> Mapping[str, Layout]:
        """Return the layout of the overlaps, with an Arrow column per order."""
        columns = tuple(f"{NAME}_{order}" for order in range(1, self.max_order + 1))
        return {"overlap": Layout(("i4", "i8"), (self.max_order, 3), "reference", columns)}

    def count(self, samples: Batch) -> Mapping[str, Array]:
        """Count samples as ROUGE-N does."""
        types = [f"rouge{order}" for order in range(1, self.max_order + 1)]
        counts = count_rouge(samples, types, self.tokenizer, NEWLINE)
        return {"overlap": shrink(counts.integers)}

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        """Return the unigrams of predictions and references."""
        overlap = counts["overlap"]
        return overlap[counts.offsets[:-1], 0, 1], overlap[:, 0, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        """List the n-grams of references."""
        return [counts["overlap"][..., 2]]

    def check(self, counts: SampleCounts) -> None:
        """Raise ValueError if there are more matches than n-grams."""
        overlap = counts["overlap"]
        for place in range(overlap.shape[1]):
            check_hits("overlap", f"n-grams of {place + 1}", overlap[:, place])


@dataclass(frozen=True, kw_only=True)
class GleuScoring(Scoring[GleuCounting]):
    """GLEU.

    Attributes:
        min_order: the shortest n-gram that counts.
    """

    min_order: int

    def score(self, counts: SampleCounts, output: Output, seed: int) -> dict[str, Value]:
        """Return GLEU of all samples."""
        overlap, offsets = counts["overlap"], counts.offsets
        scores: dict[str, Value] = {**score_gleu(overlap, offsets, min_order=self.min_order)}
        scores = self.add_intervals(scores, counts, output, seed)
        if output.per_sample:
            scores["sentence_bleu"] = score_gleu_sentences(
                overlap, offsets, min_order=self.min_order
            )
        return scores

    def score_samples(self, counts: SampleCounts) -> Mapping[str, Floats]:
        """Return GLEU of every sample."""
        scores = score_gleu_sentences(counts["overlap"], counts.offsets, min_order=self.min_order)
        return {NAME: np.array(scores)}

    def name_compared(self, score: str) -> str:
        """Return ``bleu``: GLEU is compared with BLEU."""
        return "bleu" if score == NAME else score

    def list_sample_scores(
        self, counts: SampleCounts, *, detailed: bool
    ) -> Mapping[str, Sequence[float]]:
        """Return GLEU of every sample under the name that results give it."""
        del detailed
        return {"sentence_bleu": self.score_samples(counts)[NAME].tolist()}

    def explain(
        self, counting: GleuCounting, texts: Sequence["FoundTokens"], counts: SampleCounts
    ) -> "Explained":
        """Explain GLEU as a quotient."""
        from ...matching.texts import Explained
        from .explanation import explain_gleu, match_gleu

        quotient = explain_gleu(counts["overlap"], self.min_order)
        notes = [] if quotient.score else [_ZERO]
        matches = match_gleu(texts, counting.max_order)
        return Explained({NAME: matches}, {}, {"bleu": quotient}, notes)

    def sum(self, counts: SampleCounts) -> Mapping[str, Sums]:
        """Return GLEU of summed counts."""
        chosen = choose_references(counts["overlap"], counts.offsets, self.min_order)
        columns = shrink(np.stack(chosen[:2], axis=1))
        return {NAME: Sums(Statistic(columns, score_gleu_rows))}


class Gleu(Family):
    """GLEU; its only convention is that of evaluate."""

    name: ClassVar[str] = NAME
    group: ClassVar[str] = "bleu"
    tokenizer: ClassVar[str] = "bleu_tokenizer"
    title: ClassVar[str] = "Google BLEU"

    def make_rules(self, values: Values, convention: str) -> BleuRules:
        """Check the options of GLEU together, and normalise them."""
        del convention
        return check_bleu_rules(values, "hf", most=len(ROUGE_N))

    def plan(
        self, values: Values, rules: BleuRules, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what GLEU counts, and how it is computed."""
        del convention
        counting = GleuCounting(
            choice=values["bleu_tokenizer"],
            tokenizer=make_tokenizer(values, ids),
            max_order=rules.max_order,
        )
        return counting, GleuScoring(names=(NAME,), min_order=values["min_order"])

    def warn(self, values: Values, counting: Counting) -> None:
        """Warn of an NLTK smoothing that most of the corpus does not use."""
        del counting
        warn_of_smoothing(values["smooth"], values["max_order"])

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how GLEU differs from BLEU."""
        del name, before, after, counts
        return OTHER_ORDER if is_last_digits(*values) else _ANOTHER_SCORE
