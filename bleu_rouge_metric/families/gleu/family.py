"""Google's BLEU as the rest of the package sees it."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...bleu.gleu import choose_references, score_gleu, score_gleu_sentences
from ...counting.kernels import count_rouge
from ...counting.rouge_types import ROUGE_N
from ...resampling.paired import Statistic
from ...text.sentences import NEWLINE
from ...text.tokenizers import Tokenizer
from ..base import (
    Base,
    Choice,
    Layout,
    Output,
    SampleCounts,
    Sums,
    add_interval,
    check_hits,
    register,
    shrink,
)
from ..bleu.family import check_min_order, make_rules, make_tokenizer, prepare_texts


class GleuCountPlan(NamedTuple):
    """What is counted."""

    choice: Choice
    tokenizer: Tokenizer
    max_order: int
    lowercase: bool
    strips_end: bool = False

    @property
    def bare_tokenizer(self) -> Tokenizer:
        return self.tokenizer


class Gleu(Base):
    """GLEU; callers ask for it by the group ``bleu`` and the profile ``google_bleu``."""

    name = "google_bleu"
    group = "bleu"

    def rules(self, values: Any, convention: str) -> Any:
        from ...checks import check_range

        rules = make_rules(values, "hf")
        check_range("max_order", rules.max_order, 1, len(ROUGE_N))
        check_min_order(values, rules)
        return rules

    def plan(self, values: Any, rules: Any, ids: Any, convention: str) -> Any:
        counting = GleuCountPlan(
            values["bleu_tokenizer"],
            make_tokenizer(values, ids),
            rules.max_order,
            values["lowercase"],
        )
        return counting, values["min_order"]

    def warn(self, values: Any, counting: Any) -> None:
        from ..bleu.family import BLEU

        BLEU.warn(values, counting)

    def layout(self, counting: GleuCountPlan) -> Any:
        columns = tuple(f"google_bleu_{order}" for order in range(1, counting.max_order + 1))
        return {"overlap": Layout(("i4", "i8"), (counting.max_order, 3), "reference", columns)}

    def count(self, samples: Any, counting: GleuCountPlan) -> Any:
        types = [f"rouge{order}" for order in range(1, counting.max_order + 1)]
        prepared = prepare_texts(samples, counting)
        return {
            "overlap": shrink(count_rouge(prepared, types, counting.tokenizer, NEWLINE).integers)
        }

    def check(self, counts: SampleCounts, counting: Any) -> None:
        overlap = counts["overlap"]
        for place in range(overlap.shape[1]):
            check_hits("overlap", f"n-grams of {place + 1}", overlap[:, place])

    def totals(self, counts: SampleCounts, counting: Any) -> Any:
        overlap = counts["overlap"]
        return overlap[counts.offsets[:-1], 0, 1], overlap[:, 0, 2]

    def of_references(self, counts: SampleCounts) -> Any:
        return [counts["overlap"][..., 2]]

    def names(self, scoring: Any) -> tuple[str, ...]:
        return (self.name,)

    def score(self, counts: SampleCounts, scoring: int, output: Output, seed: int) -> Any:
        overlap, offsets = counts["overlap"], counts.offsets
        result: dict[str, Any] = dict(score_gleu(overlap, offsets, min_order=scoring))
        if output.confidence is not None:
            result = add_interval(result, self.sums(counts, scoring)[self.name], output, seed)
        if output.samples:
            result["sentence_bleu"] = score_gleu_sentences(overlap, offsets, min_order=scoring)
        return result

    def score_samples(self, counts: SampleCounts, scoring: int) -> Any:
        found = score_gleu_sentences(counts["overlap"], counts.offsets, min_order=scoring)
        return {self.name: np.array(found)}

    def sums(self, counts: SampleCounts, scoring: int) -> Any:
        columns = np.stack(
            choose_references(counts["overlap"], counts.offsets, scoring)[:2], axis=1
        )
        return {self.name: Sums(Statistic(shrink(columns), score_sums))}

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        return {"profile": "google_bleu"}

    def option_of(self, column: str) -> str | None:
        return "profile or max_order" if column.startswith("google_bleu_") else None


def score_sums(sums: Any) -> Any:
    matches, totals = sums.T
    return matches / np.maximum(totals, 1)


GLEU: Final = register(Gleu())
