"""ROUGE by one formula: of all samples, of each, and of single pairs."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...counting.rouge_types import parse_rouge_type
from ...samples.token_ids import IdRules
from ...schema import Option
from ..counts import Offsets, SampleCounts
from ..parts import Parts, RougeScores
from ..score import (
    OTHER_ORDER,
    Output,
    PairResult,
    PairScore,
    Score,
    Value,
    Values,
    is_last_digits,
)
from .counts import TypeScore, read_rouge
from .formulas import (
    choose_references,
    prepare_best,
    score_pairs,
    score_samples,
    weigh_totals,
    weight_of,
)
from .options import OPTIONS
from .rules import DEFAULT_ROUGE_TYPES, RougeRules, make_rouge_rules

if TYPE_CHECKING:
    from typing_extensions import Self

    from ...matching.texts import Explained, FoundTokens

_PREFIX: Final = re.compile(r"rouge(?=\d|L|W|S)", re.ASCII)

# What changes in the arithmetic of rouge_score, for ``compare_profiles``.
_UNION: Final = "the union LCS of the sentences, which the other profiles call rougeLsum"
_CUT: Final = "byte_limit cuts the sentences of rougeL and rougeW separately"
_ROUNDED: Final = "precision and recall are rounded to five digits, then the F-measure"
_BOOTSTRAP: Final = "the bootstrap of ROUGE-1.5.5: other resamples, and the mean of them"
_PAPER: Final = {
    "rougeLsum": "the union LCS is not clipped: a token of the prediction counts each time",
    "rougeW": "one weighted LCS of the whole texts, not a union over sentences",
    "rougeSU": "the unigram of the last token counts too",
}


@dataclass(frozen=True, kw_only=True)
class Rouge(TypeScore):
    """ROUGE; the convention is its formula: ``exact``, ``rouge-1.5.5`` or ``lin2004``.

    Attributes:
        rules: how counts become scores.
    """

    name: ClassVar[str] = "rouge"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    title: ClassVar[str] = "ROUGE"
    usual: ClassVar[tuple[str, ...]] = DEFAULT_ROUGE_TYPES
    compared: ClassVar[Mapping[str, Any]] = {
        "rouge_types": (*DEFAULT_ROUGE_TYPES, "rougeW-1.2", "rougeS4", "rougeSU4")
    }

    rules: RougeRules

    @classmethod
    def plan(cls, values: Values, convention: str, ids: IdRules) -> "Self":
        for name in values["rouge_types"]:
            parse_rouge_type(name)
        rules = make_rouge_rules(
            formula=convention, beta=values["beta"], multi_reference=values["multi_reference"]
        )
        values["beta"] = rules.beta
        # Parity: ROUGE-1.5.5 calls ROUGE-L what rouge_score calls rougeLsum.
        renamed = {"rougeL": "rougeLsum"} if convention == "rouge-1.5.5" else {}
        types = {name: renamed.get(name, name) for name in values["rouge_types"]}
        by_sentence = ("lsum",) if convention == "lin2004" else ("lsum", "w")
        return cls(
            **cls.plan_texts(values, ids),
            names=tuple(types),
            types=types,
            counted=tuple(dict.fromkeys(types.values())),
            sentence_types=tuple(
                name for name, item in types.items() if parse_rouge_type(item).kind in by_sentence
            ),
            byte_limit=values["byte_limit"] if convention == "rouge-1.5.5" else None,
            lin2004=convention == "lin2004",
            rules=rules,
            stream="fixed" if convention == "rouge-1.5.5" else "seeded",
        )

    @classmethod
    def has_score(cls, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(parse_rouge_type(name))
        except ValueError:
            return False

    @classmethod
    def check_name(cls, name: object) -> None:
        if isinstance(name, str) and name.startswith("rouge"):
            parse_rouge_type(name)

    @classmethod
    def owns(cls, key: str) -> bool:
        return _PREFIX.match(key) is not None

    @classmethod
    def write_name(cls, score: str) -> str:
        return _PREFIX.sub("ROUGE-", score)

    @classmethod
    def ask(cls, names: Sequence[str]) -> dict[str, Any]:
        return {"rouge_types": [*names]}

    def score_parts(self, counts: SampleCounts) -> Iterator[tuple[str, RougeScores]]:
        numbers, offsets = read_rouge(counts, self.counted).by_type(), counts.offsets
        for name, counted in self.types.items():
            yield name, score_samples(numbers[counted], offsets, self.rules, counted)

    def pair(self) -> PairScore | None:
        found: PairScore | None = self._prepare_pair(fmeasures=True)
        return found

    def pair_result(self, output: Output) -> PairResult | None:
        score_parts = self.pair_parts()
        is_plain = output.use_aggregator and not self.find_random_stream(output)
        if not output.detailed or score_parts is None or not is_plain:
            return super().pair_result(output)
        names, fields = self.names, RougeScores._fields

        def score(prediction: str, references: list[str]) -> dict[str, Value] | None:
            parts = score_parts(prediction, references)
            if parts is None:
                return None
            each = (dict(zip(fields, part, strict=True)) for part in parts)
            return dict(zip(names, each, strict=True))

        return score

    def pair_parts(self) -> Callable[[str, list[str]], list[Parts] | None] | None:
        """Prepare precision, recall and F-measure of single pairs; None is for the slow path."""
        score_pair = self._prepare_pair(fmeasures=False)
        if score_pair is None:
            return None

        def score(prediction: str, references: list[str]) -> list[Parts] | None:
            parts, has_totals = score_pair(prediction, references)
            return parts if has_totals else None

        return score

    def _prepare_pair(self, *, fmeasures: bool) -> Any:
        """Prepare the scores of single pairs, or their F-measures, and whether all have totals.

        A text without tokens has no total. Nor has one that is too short for an order; it uses the
        slow path needlessly.
        """
        if not self.counts_pairs:
            return None
        pairs, columns = self.count_pairs()
        width, rules, squared = pairs.width, self.rules, self.rules.beta * self.rules.beta
        counted, count = tuple(self.types.values()), pairs.count
        score_best = prepare_best(columns, width, squared)
        is_plain = rules.formula != "rouge-1.5.5" and squared != float("inf")
        is_best = is_plain and rules.multi_reference == "best"

        def score(prediction: str, references: list[str]) -> tuple[Any, bool]:
            numbers = count(prediction, references)
            is_quick = is_best or (is_plain and len(references) == 1)
            parts = score_best(numbers) if is_quick else score_by_batch(numbers)
            has_totals = 0 not in numbers or (all(numbers[1::3]) and all(numbers[2::3]))
            return [part[2] for part in parts] if fmeasures else parts, has_totals

        def score_by_batch(numbers: list[int]) -> list[Parts]:
            table = np.array(numbers, dtype=np.int64).reshape(-1, width // 3, 3)
            offsets = np.array([0, len(table)])
            triples = (table[:, [place // 3 for place in places]].sum(axis=1) for places in columns)
            scored = zip(triples, counted, strict=True)
            each = (score_samples(triple, offsets, rules, name) for triple, name in scored)
            return [(float(p[0]), float(r[0]), float(f[0])) for p, r, f in each]

        return score

    def explain(self, texts: Sequence["FoundTokens"], counts: SampleCounts) -> "Explained":
        from ...matching.texts import Explained
        from .explanation import explain_rouge, list_lcs, list_zeros, match_rouge

        scores = explain_rouge(read_rouge(counts, self.counted), self.rules, self.types)
        matches: dict[str, Any] = {}
        lcs: dict[str, Any] = {}
        for name, counted in self.types.items():
            if found := tuple(match_rouge(counted, texts, self)):
                matches[name] = found
            if pairs := tuple(list_lcs(counted, texts, self)):
                lcs[name] = pairs
        notes = list_zeros(scores, keeps_words=self.tokenizer.of_sentences is not None)
        return Explained(matches, lcs, {"rouge": scores}, notes)

    def steps(self, baseline: Score) -> Iterator[tuple[Score, str]]:
        if self.rules.formula == "rouge-1.5.5" and isinstance(baseline, Rouge):
            union = replace(self, rules=baseline.rules, stream=baseline.stream)
            yield replace(union, byte_limit=None), _UNION
            yield union, _CUT
            yield replace(union, rules=self.rules), ""
            yield self, _BOOTSTRAP
        else:
            yield self, ""

    def explain_step(
        self, name: str, before: Score, counts: SampleCounts, values: tuple[float, float]
    ) -> str:
        if self.rules.formula == "rouge-1.5.5" and isinstance(before, Rouge):
            chosen, rounded = (plan.choose_references(name, counts) for plan in (before, self))
            is_same = chosen is None or rounded is None or np.array_equal(chosen, rounded)
            return _ROUNDED if is_same else f"{_ROUNDED}; they choose other references"
        return OTHER_ORDER if is_last_digits(*values) else explain_paper(name)

    def choose_references(self, name: str, counts: SampleCounts) -> Offsets | None:
        """Return the pair that is chosen for each sample; None if no reference is chosen."""
        counted, rules = self.types[name], self.rules
        # The mean of best scores depends on the best reference too.
        if rules.multi_reference == "jackknife":
            rules = rules._replace(multi_reference="best")
        numbers, weight = read_rouge(counts, self.counted).of(counted), weight_of(counted)
        scores = score_pairs(weigh_totals(numbers, weight), rules, weight)
        return choose_references(scores, numbers, counts.offsets, rules, weight)


def explain_paper(name: str) -> str:
    """Describe how counting by the paper changes one type.

    >>> explain_paper("rougeSU*")
    'the unigram of the last token counts too'
    """
    return next(reason for prefix, reason in _PAPER.items() if name.startswith(prefix))
