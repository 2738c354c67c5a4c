"""ROUGE as the rest of the package sees it."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ...checks import check_choice  # noqa: F401
from ...counting.byte_limit import count_rouge_of_bytes
from ...counting.kernels import RougeCounts, count_rouge, is_weighted
from ...counting.rouge_types import ROUGE_LSUM, parse_rouge_type
from ...rouge.formulas import RougeRules, RougeScores, make_rouge_rules
from ...rouge.references import score_samples
from ...samples.token_ids import IDS
from ...text.id_tokens import make_id_splitter, make_id_tokenizer
from ...text.rouge_pipeline import make_rouge_tokenizer, warn_of_stop_words
from ...text.sentences import MOST_PYSBD_CHARACTERS, SentenceSplitter, resolve_sentence_splitter
from ...text.tokenizers import Tokenizer, resolve_tokenizer, uses_segmenter
from ...text.truncation import make_truncation
from ...text.warnings import (
    warn_if_sentences_share_lines,
    warn_of_slow_splitting,
    warn_of_stemmer,
)
from ...text.word_lists import read_exceptions, resolve_stop_words
from ..base import (
    Base,
    Choice,
    Layout,
    Output,
    SampleCounts,
    check_hits,
    find_first,
    register,
    shrink,
)
from .pairs import count_rouge_pairs, prepare_best, prepare_rouge
from .report import summarise


class RougeCountPlan(NamedTuple):
    """What is counted for ROUGE."""

    choice: Choice
    tokenizer: Tokenizer
    bare_tokenizer: Tokenizer
    split_sentences: SentenceSplitter
    bare_split: SentenceSplitter
    types: tuple[str, ...]
    sentence_types: tuple[str, ...]
    byte_limit: int | None
    lin2004: bool


class RougeScorePlan(NamedTuple):
    """How counts become scores."""

    rules: RougeRules
    types: dict[str, str]

    @property
    def counted(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.types.values()))


def read_rouge(counts: SampleCounts, types: tuple[str, ...]) -> RougeCounts | None:
    """Return the arrays of ROUGE; None if it was not counted."""
    if "rouge" not in counts.references:
        return None
    return RougeCounts(types, counts.references["rouge"], counts.references["rouge_weighted"])


class Rouge(Base):
    """ROUGE."""

    name = "rouge"

    def rules(self, values: Any, convention: str) -> Any:
        rules = make_rouge_rules(
            formula=convention, beta=values["beta"], multi_reference=values["multi_reference"]
        )
        values["beta"] = rules.beta
        return rules

    def plan(self, values: Any, rules: Any, ids: Any, convention: str) -> Any:
        # Parity: ROUGE-1.5.5 calls ROUGE-L what rouge_score calls rougeLsum.
        renamed = {"rougeL": "rougeLsum"} if convention == "rouge-1.5.5" else {}
        counted = {name: renamed.get(name, name) for name in values["rouge_types"]}
        choice, exceptions = values["rouge_tokenizer"], values["stemmer_exceptions"]
        word_limit, byte_limit = values["word_limit"], values["byte_limit"]
        segmenter = values["segmenter"] if uses_segmenter(choice) else None
        if choice == IDS:
            tokenizer = bare_tokenizer = make_id_tokenizer(ids.separator)
            split = bare_split = make_id_splitter(ids.separator)
        else:
            tokenizer = make_rouge_tokenizer(
                choice,
                use_stemmer=values["use_stemmer"],
                segmenter=segmenter,
                stemmer_exceptions=None if exceptions is None else read_exceptions(exceptions),
                stop_words=resolve_stop_words(values["stop_words"]),
                word_limit=word_limit,
                byte_limit=byte_limit,
            )
            bare_tokenizer = resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)
            bare_split = resolve_sentence_splitter(values["sentence_splitter"])
            split = _limit(bare_split, word_limit, byte_limit)
        kinds = ("lsum",) if convention == "lin2004" else ("lsum", "w")
        counting = RougeCountPlan(
            choice=choice,
            tokenizer=tokenizer,
            bare_tokenizer=bare_tokenizer,
            split_sentences=split,
            bare_split=bare_split,
            types=tuple(dict.fromkeys(counted.values())),
            sentence_types=tuple(
                name for name, item in counted.items() if parse_rouge_type(item).kind in kinds
            ),
            byte_limit=byte_limit if convention == "rouge-1.5.5" else None,
            lin2004=convention == "lin2004",
        )
        return counting, RougeScorePlan(rules, counted)

    def warn(self, values: Any, counting: Any) -> None:
        warn_of_stemmer(values["use_stemmer"], values["rouge_tokenizer"])
        warn_of_stop_words(values["stop_words"], counting.choice, counting.bare_tokenizer)

    def layout(self, counting: RougeCountPlan) -> Any:
        weighted = tuple(filter(is_weighted, counting.types))
        integers = tuple(name for name in counting.types if not is_weighted(name))
        return {
            "rouge": Layout(("i4", "i8"), (len(integers), 3), "reference", integers),
            "rouge_weighted": Layout(("f8",), (len(weighted), 3), "reference", weighted),
        }

    def count(self, samples: Any, plan: RougeCountPlan) -> Any:
        if plan.byte_limit is not None:
            counts = count_rouge_of_bytes(
                samples, plan.types, plan.tokenizer, plan.bare_split, plan.byte_limit
            )
        else:
            counts = count_rouge(
                samples, plan.types, plan.tokenizer, plan.split_sentences, lin2004=plan.lin2004
            )
        return {"rouge": shrink(counts.integers), "rouge_weighted": counts.weighted}

    def check(self, counts: SampleCounts, counting: Any) -> None:
        arrays = read_rouge(counts, counting.types)
        assert arrays is not None
        for name in arrays.types:
            if is_weighted(name):
                _check_weighted(name, arrays.of(name), lin2004=counting.lin2004)
            else:
                # The paper does not clip the union LCS by the prediction; see count_union_lcs.
                totals = (2,) if counting.lin2004 and name == ROUGE_LSUM else (1, 2)
                check_hits("rouge", name, arrays.of(name), totals)

    def totals(self, counts: SampleCounts, counting: Any) -> Any:
        arrays = read_rouge(counts, counting.types)
        assert arrays is not None
        triples = arrays.of(counting.types[0])
        return triples[counts.offsets[:-1], 1], triples[:, 2]

    def of_references(self, counts: SampleCounts) -> Any:
        return [counts["rouge"][..., 2], counts["rouge_weighted"][..., 2]]

    def map_tokenizers(self, counting: Any, wrap: Any) -> Any:
        return counting._replace(
            tokenizer=wrap(counting.tokenizer),
            split_sentences=wrap(counting.split_sentences),
            bare_split=wrap(counting.bare_split),
        )

    def warn_before(self, samples: Any, counting: Any) -> None:
        if counting.sentence_types and counting.bare_split.is_quadratic:
            warn_of_slow_splitting(samples, MOST_PYSBD_CHARACTERS)

    def warn_after(self, samples: Any, counting: Any) -> None:
        warn_if_sentences_share_lines(samples, counting.split_sentences, counting.sentence_types)

    def line_types(self, counting: Any) -> tuple[str, ...]:
        return counting.sentence_types if counting.split_sentences.takes_lines else ()

    def names(self, scoring: Any) -> tuple[str, ...]:
        return tuple(scoring.types)

    def score_parts(self, counts: SampleCounts, scoring: Any) -> Any:
        arrays = read_rouge(counts, scoring.counted)
        assert arrays is not None
        for name, counted in scoring.types.items():
            yield name, score_samples(arrays.of(counted), counts.offsets, scoring.rules, counted)

    def score(self, counts: SampleCounts, scoring: Any, output: Output, seed: int) -> Any:
        own = scoring.rules.formula == "rouge-1.5.5"
        resampling = ("rouge-1.5.5" if own else "bootstrap") if output.draws else None
        return summarise(self.score_parts(counts, scoring), output, seed, resampling)

    def score_samples(self, counts: SampleCounts, scoring: Any) -> Any:
        return {name: score.fmeasure for name, score in self.score_parts(counts, scoring)}

    def draws(self, scoring: Any, output: Output) -> Any:
        if not output.draws:
            return None
        return "own" if scoring.rules.formula == "rouge-1.5.5" else "stream"

    def prepare_pair(self, counting: Any, scoring: Any) -> Any:
        if not can_count_pairs(counting):
            return None
        return prepare_rouge(counting, scoring.rules, tuple(scoring.types.values()))

    def prepare_result(self, counting: Any, scoring: Any, output: Output) -> Any:
        rules = scoring.rules
        is_plain = rules.formula == "exact" and rules.multi_reference == "best"
        if not is_plain or rules.beta == float("inf") or not can_count_pairs(counting):
            return None
        if output.draws or not output.use_aggregator:
            return None
        pairs, columns = count_rouge_pairs(counting, tuple(scoring.types.values()))
        score_best = prepare_best(columns, pairs.width, rules.beta * rules.beta)
        names, fields, detailed = tuple(scoring.types), RougeScores._fields, output.detailed

        def score(prediction: str, references: list[str]) -> Any:
            numbers = pairs.count(prediction, references)
            # A text without tokens has no total. Nor has one that is too short for an order; it
            # takes the slow path for nothing.
            if not (all(numbers[1::3]) and all(numbers[2::3])):
                return None
            parts = score_best(numbers)
            if detailed:
                return {
                    name: dict(zip(fields, part, strict=True))
                    for name, part in zip(names, parts, strict=True)
                }
            return {name: part[2] for name, part in zip(names, parts, strict=True)}

        return score

    def has_score(self, name: Any) -> bool:
        if not isinstance(name, str) or not name.startswith("rouge"):
            return False
        parse_rouge_type(name)
        return True

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        return {"rouge_types": [*names]}

    def option_of(self, column: str) -> str | None:
        try:
            parse_rouge_type(column)
        except ValueError:
            return None
        return "family, profile or rouge_types"


def can_count_pairs(plan: Any) -> bool:
    """Whether single pairs can be counted: not token ids, ROUGE-W, or cut bytes."""
    is_cut = plan.byte_limit is not None
    return not (plan.choice == IDS or is_cut or any(map(is_weighted, plan.types)))


def _limit(
    splitter: SentenceSplitter, word_limit: int | None, byte_limit: int | None
) -> SentenceSplitter:
    """Return the splitter of what a limit leaves of a text."""
    truncate = make_truncation(word_limit, byte_limit)
    if truncate is None:
        return splitter
    return SentenceSplitter(splitter.name, lambda text: splitter.function(truncate(text)))


def _check_weighted(name: str, triples: Any, *, lin2004: bool) -> None:
    """Raise ValueError if ROUGE-W has more hits than a text compared with itself."""
    # f(k) = k ** weight, with a weight of at least 1: runs count at most what they would in one
    # piece. The paper's totals are tokens; the program's are f of the reference's sentences.
    weight = parse_rouge_type(name).weight
    most = triples[:, 1:].min(axis=1) ** weight if lin2004 else triples[:, 2]
    # The sums are rounded, each in its own order.
    row = find_first((triples[:, 0] > most * (1 + 1e-9))[:, np.newaxis])
    if row is not None:
        raise ValueError(
            f"rouge_weighted[{row}] has weighted hits of {triples[row, 0]} of {name}; expected at "
            f"most {most[row]}, with which the texts would be equal."
        )


ROUGE: Final = register(Rouge())
