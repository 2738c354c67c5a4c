"""Options of the metric: their names, defaults and checks.

One place for ``metric.compute``, ``bleu_score``, ``rouge_scores`` and the command, so that a bad
value is the same clear error everywhere, raised before any work.
"""

import difflib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, cast

import numpy as np

from .counts import ROUGE_L, ROUGE_LSUM, ROUGE_N
from .sentences import SentenceSplitter, resolve_sentence_splitter
from .tokenization import Tokenizer, resolve_tokenizer, tokenize_rouge_stemmed

DEFAULT_ROUGE_TYPES: Final = ("rouge1", "rouge2", ROUGE_L, ROUGE_LSUM)

# Beyond these a slip of the finger would fill the memory.
_LARGEST_ORDER: Final = 100
_MOST_RESAMPLES: Final = 1_000_000

Family = Literal["bleu", "rouge"]
FAMILIES: Final[tuple[Family, ...]] = ("bleu", "rouge")

# Options that only one of the two families has; the others belong to both.
_FAMILY_OPTIONS: Final[dict[Family, frozenset[str]]] = {
    "bleu": frozenset({"max_order", "smooth", "bleu_tokenizer", "sentence_bleu"}),
    "rouge": frozenset(
        {
            "rouge_types",
            "use_stemmer",
            "use_aggregator",
            "aggregator",
            "n_resamples",
            "rouge_tokenizer",
            "sentence_splitter",
            "detailed",
        }
    ),
}


@dataclass(frozen=True, kw_only=True)
class Options:
    """Checked options of one computation.

    Attributes:
        max_order: longest n-gram of BLEU, from 1 to 100.
        smooth: add one to the matches and totals of every order of BLEU.
        rouge_types: from ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``; kept as a tuple
            without repetitions.
        use_stemmer: stem the tokens of the ``rouge`` tokenizer.
        use_aggregator: one score for all samples (True) or a list of one per sample.
        aggregator: ``mean``, or ``bootstrap`` for the median of the means of resampled samples.
        n_resamples: how many resamples ``bootstrap`` draws, from 1 to 1,000,000.
        tokenizer: name or callable for both families; None for their own defaults.
        bleu_tokenizer: goes before ``tokenizer``; ``13a`` where neither is given.
        rouge_tokenizer: goes before ``tokenizer``; ``rouge`` where neither is given.
        sentence_splitter: for ``rougeLsum``, ``newline`` or a callable.
        detailed: precision, recall and F-measure of ROUGE in place of the F-measure alone.
        sentence_bleu: add the BLEU of every sample.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range, or a name is unknown.
    """

    max_order: int = 4
    smooth: bool = False
    rouge_types: Sequence[str] = DEFAULT_ROUGE_TYPES
    use_stemmer: bool = False
    use_aggregator: bool = True
    aggregator: Literal["mean", "bootstrap"] = "mean"
    n_resamples: int = 1000
    tokenizer: str | Tokenizer | None = None
    bleu_tokenizer: str | Tokenizer | None = None
    rouge_tokenizer: str | Tokenizer | None = None
    sentence_splitter: str | SentenceSplitter = "newline"
    detailed: bool = False
    sentence_bleu: bool = False

    def __post_init__(self) -> None:
        for name in ("smooth", "use_stemmer", "use_aggregator", "detailed", "sentence_bleu"):
            _check_flag(name, getattr(self, name))
        _check_range("max_order", self.max_order, _LARGEST_ORDER)
        _check_range("n_resamples", self.n_resamples, _MOST_RESAMPLES)
        if not isinstance(self.aggregator, str) or self.aggregator not in ("mean", "bootstrap"):
            raise ValueError(
                f"Unknown aggregator {self.aggregator!r}; expected 'mean' or 'bootstrap'."
            )
        object.__setattr__(self, "rouge_types", _check_rouge_types(self.rouge_types))
        # Reading these properties checks what they are made from.
        _ = self.bleu_tokenize, self.rouge_tokenize, self.split_sentences
        if self.use_stemmer and self.rouge_tokenize is not tokenize_rouge_stemmed:
            # Parity: rouge_score stems in its own tokenizer alone.
            warnings.warn(
                "use_stemmer=True has no effect on ROUGE here: only the 'rouge' tokenizer stems. "
                "Stem in your own tokenizer, or leave the tokenizer out.",
                UserWarning,
                stacklevel=5,
            )

    @classmethod
    def from_keywords(
        cls, keywords: Mapping[str, Any], families: Sequence[Family] = FAMILIES
    ) -> "Options":
        """Options from keyword arguments; None stands for the default of an option.

        Raises:
            TypeError: a keyword is no option of these families.
        """
        names = [option.name for option in fields(cls)]
        foreign = frozenset().union(
            *(own for family, own in _FAMILY_OPTIONS.items() if family not in families)
        )
        for keyword in keywords:
            if keyword not in names:
                raise TypeError(_unknown_option_error(keyword, names))
            if keyword in foreign:
                raise TypeError(
                    f"{keyword!r} is no option of {families[0].upper()}, which alone is computed "
                    "here; leave it out, or compute both families."
                )
        return cls(**{name: value for name, value in keywords.items() if value is not None})

    @property
    def bleu_tokenize(self) -> Tokenizer:
        """From a text to the tokens that BLEU counts."""
        if self.bleu_tokenizer is not None:
            return resolve_tokenizer("bleu_tokenizer", self.bleu_tokenizer)
        return resolve_tokenizer("tokenizer", "13a" if self.tokenizer is None else self.tokenizer)

    @property
    def rouge_tokenize(self) -> Tokenizer:
        """From a text to the tokens that ROUGE counts."""
        stem = self.use_stemmer
        if self.rouge_tokenizer is not None:
            return resolve_tokenizer("rouge_tokenizer", self.rouge_tokenizer, stemmer=stem)
        choice = "rouge" if self.tokenizer is None else self.tokenizer
        return resolve_tokenizer("tokenizer", choice, stemmer=stem)

    @property
    def split_sentences(self) -> SentenceSplitter:
        """From a text to its non-empty sentences, for ``rougeLsum``."""
        return resolve_sentence_splitter(self.sentence_splitter)


def _check_flag(name: str, value: object) -> None:
    """Raises TypeError unless the value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} is {value!r}; expected True or False.")


def _check_range(name: str, value: object, most: int) -> None:
    """Raises unless the value is an int from 1 to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} is {value!r}; expected an int from 1 to {most:,}.")
    if not 1 <= value <= most:
        raise ValueError(f"{name} is {value}; expected an int from 1 to {most:,}.")


def _check_rouge_types(rouge_types: object) -> tuple[str, ...]:
    """The types as a tuple, each once, in the order of their first occurrence."""
    if isinstance(rouge_types, str):
        raise TypeError(
            f"rouge_types is the str {rouge_types!r}; expected a sequence of types. "
            f"Use rouge_types=[{rouge_types!r}]."
        )
    # The order of the types decides what "bootstrap" draws for each; a set has none.
    is_sequence = isinstance(rouge_types, Iterable) and not isinstance(rouge_types, AbstractSet)
    if not is_sequence or isinstance(rouge_types, bytes | Mapping):
        raise TypeError(
            f"rouge_types is of type {type(rouge_types).__name__}; expected a sequence of types."
        )
    names = tuple(cast("Iterable[object]", rouge_types))
    if not names:
        raise ValueError("rouge_types is empty; expected at least one type, such as 'rouge1'.")
    for name in names:
        if not isinstance(name, str) or name not in (*ROUGE_N, ROUGE_L, ROUGE_LSUM):
            raise ValueError(
                f"Unknown rouge type {name!r}; expected {ROUGE_N[0]!r} to {ROUGE_N[-1]!r}, "
                f"{ROUGE_L!r} or {ROUGE_LSUM!r}."
            )
    # Parity: rouge_score's results are a dict by type, so a repeated type is scored once.
    return tuple(dict.fromkeys(map(str, names)))


def _unknown_option_error(keyword: str, names: Sequence[str]) -> str:
    """Names the closest option, or all of them."""
    if keyword == "seed":
        return "'seed' is no option of compute; give it to evaluate.load(..., seed=...)."
    closest = difflib.get_close_matches(keyword, ["predictions", "references", *names], n=1)
    remedy = f"did you mean {closest[0]!r}?" if closest else f"expected one of {', '.join(names)}."
    return f"Unknown option {keyword!r}; {remedy}"
