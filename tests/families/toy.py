"""A family in one file: the share of tokens that a reference has in the same place."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from bleu_rouge_metric import schema
from bleu_rouge_metric.counting.pools import Batch
from bleu_rouge_metric.families.counts import Array, Layout, SampleCounts
from bleu_rouge_metric.families.rows import RowScore
from bleu_rouge_metric.families.score import Values
from bleu_rouge_metric.matching.ngrams import match_ngrams
from bleu_rouge_metric.matching.texts import Explained, FoundTokens
from bleu_rouge_metric.samples.token_ids import IdRules
from bleu_rouge_metric.schema import Flag, Option
from bleu_rouge_metric.text.tokenizer import resolve_tokenizer


class Toy(RowScore):
    name: ClassVar[str] = "toy"
    group: ClassVar[str] = "toy"
    tokenizer_option: ClassVar[str] = "toy_words"
    title: ClassVar[str] = "Toy"
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            name="toy_words",
            kind=schema.NAME_OR_FUNCTION,
            effect="counts",
            text="the tokenizer of the toy",
            families=("toy",),
            default="whitespace",
            samples="texts",
            signed="always",
            flags=(Flag(metavar="NAME"),),
        ),
    )

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Toy":
        del convention, ids
        choice = values["toy_words"]
        tokenizer = resolve_tokenizer("toy_words", choice)
        return cls(choice=choice, tokenizer=tokenizer, names=("toy",))

    def layout(self) -> Mapping[str, Layout]:
        return {"toy": Layout(("i8",), (3,), "reference", ("toy",))}

    def count(self, samples: Batch) -> Mapping[str, Array]:
        rows = [
            (sum(map(str.__eq__, ours, theirs)), len(ours), len(theirs))
            for prediction, references in samples.by_sample()
            for ours in [self.tokenizer(prediction)]
            for theirs in map(self.tokenizer, references)
        ]
        return {"toy": np.array(rows, np.int64).reshape(-1, 3)}

    def count_tokens(self, counts: SampleCounts) -> tuple[Array, Array]:
        return counts["toy"][counts.offsets[:-1], 1], counts["toy"][:, 2]

    def list_reference_counts(self, counts: SampleCounts) -> list[Array]:
        return [counts["toy"][:, 2]]

    def make_rows(self, counts: SampleCounts) -> Any:
        best = np.maximum.reduceat(counts["toy"][:, 0], counts.offsets[:-1])
        return np.stack([best, counts["toy"][counts.offsets[:-1], 1]], axis=1)

    def score_row(self, row: Sequence[int]) -> Sequence[float]:
        return (row[0] / max(row[1], 1),)

    def explain(self, texts: Sequence[FoundTokens], counts: SampleCounts) -> Explained:
        del counts
        ours, *theirs = [text.forms for text in texts]
        found = (match_ngrams(ours, forms, index, 1) for index, forms in enumerate(theirs))
        return Explained({"toy": tuple(found)}, {}, {}, [])
