"""ROUGE as the rest of the package sees it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from ...counting.rouge_types import parse_rouge_type
from ...samples.token_ids import IDS, IdRules
from ...schema.option import Option
from ...text.id_tokens import make_id_splitter, make_id_tokenizer
from ...text.rouge_pipeline import make_rouge_tokenizer, warn_of_stop_words
from ...text.sentences import SentenceSplitter, resolve_sentence_splitter
from ...text.tokenizer import Tokenizer
from ...text.tokenizer_choice import resolve_tokenizer
from ...text.tokenizers import uses_segmenter
from ...text.truncation import make_truncation
from ...text.warnings import warn_of_stemmer
from ...text.word_lists import read_exceptions, resolve_stop_words
from ..base import Counting, Scoring, Values
from ..counts import SampleCounts
from ..family import Change, Family, Pair
from .counting import RougeCounting
from .formulas import RougeScores
from .options import OPTIONS
from .reasons import explain_formula, split_arithmetic
from .rules import DEFAULT_ROUGE_TYPES, RougeRules, make_rouge_rules
from .scoring import RougeScoring

_PREFIX: Final = re.compile(r"rouge(?=\d|L|W|S)", re.ASCII)


class Rouge(Family):
    """ROUGE; the convention is its formula: ``exact``, ``rouge-1.5.5`` or ``lin2004``."""

    name: ClassVar[str] = "rouge"
    group: ClassVar[str] = "rouge"
    tokenizer: ClassVar[str] = "rouge_tokenizer"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    title: ClassVar[str] = "ROUGE"
    scores: ClassVar[tuple[str, ...]] = DEFAULT_ROUGE_TYPES
    parts: ClassVar[tuple[str, ...]] = RougeScores._fields
    compared: ClassVar[Mapping[str, Any]] = {
        "rouge_types": (*DEFAULT_ROUGE_TYPES, "rougeW-1.2", "rougeS4", "rougeSU4")
    }

    def make_rules(self, values: Values, convention: str) -> RougeRules:
        """Check the options of ROUGE together, and normalise them."""
        for name in values["rouge_types"]:
            parse_rouge_type(name)
        rules = make_rouge_rules(
            formula=convention, beta=values["beta"], multi_reference=values["multi_reference"]
        )
        values["beta"] = rules.beta
        return rules

    def plan(
        self, values: Values, rules: RougeRules, ids: IdRules, convention: str
    ) -> tuple[Counting, Scoring[Any]]:
        """Return what ROUGE counts, and how it is computed."""
        # Parity: ROUGE-1.5.5 calls ROUGE-L what rouge_score calls rougeLsum.
        renamed = {"rougeL": "rougeLsum"} if convention == "rouge-1.5.5" else {}
        types = {name: renamed.get(name, name) for name in values["rouge_types"]}
        by_sentence = ("lsum",) if convention == "lin2004" else ("lsum", "w")
        bare_tokenizer, bare_split = _resolve(values, ids)
        counting = RougeCounting(
            choice=values["rouge_tokenizer"],
            tokenizer=_complete(bare_tokenizer, values),
            bare_tokenizer=bare_tokenizer,
            split_sentences=_limit(bare_split, values),
            bare_split=bare_split,
            types=tuple(dict.fromkeys(types.values())),
            sentence_types=tuple(
                name for name, item in types.items() if parse_rouge_type(item).kind in by_sentence
            ),
            byte_limit=values["byte_limit"] if convention == "rouge-1.5.5" else None,
            lin2004=convention == "lin2004",
            truncate=make_truncation(values["word_limit"], values["byte_limit"]),
            stop_words=resolve_stop_words(values["stop_words"]),
        )
        scoring = RougeScoring(
            names=tuple(types),
            rules=rules,
            types=types,
            stream="fixed" if convention == "rouge-1.5.5" else "seeded",
        )
        return counting, scoring

    def warn(self, values: Values, counting: Any) -> None:
        """Warn of a stemmer and of stop words that have no effect."""
        warn_of_stemmer(values["use_stemmer"], values["rouge_tokenizer"])
        warn_of_stop_words(values["stop_words"], counting.choice, counting.bare_tokenizer)

    def has_score(self, name: object) -> bool:
        """Return whether it is a ROUGE type."""
        try:
            return isinstance(name, str) and bool(parse_rouge_type(name))
        except ValueError:
            return False

    def check_name(self, name: object) -> None:
        """Raise ValueError for a name that begins like a ROUGE type."""
        if isinstance(name, str) and name.startswith("rouge"):
            parse_rouge_type(name)

    def owns(self, key: str) -> bool:
        """Return whether a key of a result is a ROUGE type, or a part or a bound of one."""
        return _PREFIX.match(key) is not None

    def write_name(self, score: str) -> str:
        """Return a type with a hyphen."""
        return _PREFIX.sub("ROUGE-", score)

    def ask(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the types."""
        return {"rouge_types": [*names]}

    def split_arithmetic(self, before: Change, after: Change) -> Iterator[Change]:
        """Iterate over the parts of a program's arithmetic."""
        ours: Any = before.scoring
        counting: Any = after.counting
        theirs: Any = after.scoring
        return split_arithmetic(ours, counting, theirs)

    def explain_change(
        self, name: str, before: Change, after: Change, counts: SampleCounts, values: Pair
    ) -> str:
        """Describe how a formula changes a type."""
        ours: Any = before.scoring
        theirs: Any = after.scoring
        return explain_formula(name, ours, theirs, counts, values)


def _resolve(values: Values, ids: IdRules) -> tuple[Tokenizer, SentenceSplitter]:
    """Return the tokenizer and the splitter without limits, stop words and stemmer."""
    choice = values["rouge_tokenizer"]
    if choice == IDS:
        return make_id_tokenizer(ids.separator), make_id_splitter(ids.separator)
    segmenter = values["segmenter"] if uses_segmenter(choice) else None
    tokenizer = resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)
    return tokenizer, resolve_sentence_splitter(values["sentence_splitter"])


def _complete(bare: Tokenizer, values: Values) -> Tokenizer:
    """Return the tokenizer with limits, stop words and stemmer; token ids have none."""
    choice, exceptions = values["rouge_tokenizer"], values["stemmer_exceptions"]
    if choice == IDS:
        return bare
    return make_rouge_tokenizer(
        choice,
        use_stemmer=values["use_stemmer"],
        segmenter=values["segmenter"] if uses_segmenter(choice) else None,
        stemmer_exceptions=None if exceptions is None else read_exceptions(exceptions),
        stop_words=resolve_stop_words(values["stop_words"]),
        word_limit=values["word_limit"],
        byte_limit=values["byte_limit"],
    )


def _limit(bare: SentenceSplitter, values: Values) -> SentenceSplitter:
    """Return the splitter of what a limit leaves of a text; token ids have none."""
    truncation = make_truncation(values["word_limit"], values["byte_limit"])
    if truncation is None or values["rouge_tokenizer"] == IDS:
        return bare
    return replace(
        bare, function=lambda text: bare.function(truncation(text)), truncation=truncation
    )
