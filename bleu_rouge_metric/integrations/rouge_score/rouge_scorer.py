"""ROUGE of one pair, as ``rouge_score.rouge_scorer`` gives it.

The counts come from the kernel in one call, and the scores of all types from these.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

from ...counting.pairs import RougePairs
from ...counting.rouge_types import ROUGE_L, ROUGE_LSUM
from ...families.parts import Parts
from ...families.rouge.formulas import prepare_best
from ...text.sentences import NEWLINE, SentenceSplitter, resolve_sentence_splitter
from ...text.tokenizer import Tokenizer
from ...text.tokenizer_choice import add_stemmer
from ...text.tokenizers import TOKENIZERS
from ...text.user_functions import name_function
from . import scoring, tokenizers
from .token_scores import (
    _backtrack_norec,
    _create_ngrams,
    _find_union,
    _lcs_table,
    _score_lcs,
    _score_ngrams,
    _summary_level_lcs,
    _union_lcs,
    lcs_ind,
)
from .tokenize import decode, decode_lower

__all__ = [
    "RougeScorer",
    "_backtrack_norec",
    "_create_ngrams",
    "_find_union",
    "_lcs_table",
    "_score_lcs",
    "_score_ngrams",
    "_summary_level_lcs",
    "_union_lcs",
    "lcs_ind",
]

# Parity: a name may end with a newline, which "$" of rouge_score lets pass.
_NGRAMS: Final = re.compile(r"(rouge[0-9])$", re.ASCII)
# Fast path: equals Score._make.
_make_score: Any = partial(tuple.__new__, scoring.Score)


class _Prepared(NamedTuple):
    """What is prepared once from the attributes of a scorer.

    Attributes:
        types: of the scorer, in their order.
        tokenizer: of the scorer.
        splits: whether ``rougeLsum`` splits texts with NLTK's punkt.
        pairs: the counts; None if there is no type.
        score_best: from the counts to precision, recall and F-measure of each type.
        lcs_places: the types of longest common subsequences, each with the place of its hits.
    """

    types: tuple[Any, ...]
    tokenizer: Any
    splits: bool
    pairs: RougePairs | None
    score_best: Callable[[list[int]], list[Parts]]
    lcs_places: Sequence[tuple[str, int]]


class RougeScorer(scoring.BaseScorer):
    """ROUGE of a prediction with its target (the reference), or with several.

    >>> scorer = RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
    >>> scorer.score("the cats sat down", "a cat sat")["rouge1"]
    Score(precision=0.6666666666666666, recall=0.5, fmeasure=0.5714285714285715)
    """

    def __init__(
        self,
        rouge_types: Collection[str],
        use_stemmer: bool = False,  # noqa: FBT001, FBT002 - as there
        split_summaries: bool = False,  # noqa: FBT001, FBT002
        tokenizer: Any = None,
    ) -> None:
        """Store the settings; types are checked when a pair is scored, as in ``rouge_score``.

        Args:
            rouge_types: a sequence of names from ``rouge1`` to ``rouge9``, ``rougeL`` and
                ``rougeLsum``.
            use_stemmer: whether the default tokenizer stems.
            split_summaries: whether ``rougeLsum`` splits texts with NLTK's punkt, not at newlines.
            tokenizer: an object with a method ``tokenize``; None for the default.
        """
        self.rouge_types: Any = rouge_types
        # Parity: a tokenizer that is false counts as none.
        self._tokenizer = tokenizer or tokenizers.DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries
        self._prepared: _Prepared | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_prepared": None}

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Score a prediction with one target.

        Args:
            target: the reference.
            prediction: what is scored.

        Returns:
            A score for each type.

        Raises:
            ValueError: a type is unknown, or bytes are not UTF-8.
            AttributeError: a text is neither str nor bytes.
            TypeError: a text is a bytearray, or neither str nor bytes if ``rougeLsum`` is the only
                type.
        """
        if type(target) is str and type(prediction) is str:
            # Fast path: equals the line below; a pair takes 2.5 µs instead of 2.6.
            return self._score_texts([target], prediction)
        return self._score([target], prediction)

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, scoring.Score]:
        """Score a prediction with several targets: for each type the one with the best F-measure.

        Args:
            targets: one or more references.
            prediction: what is scored.

        Raises:
            ValueError: a type is unknown, there is no target, or bytes are not UTF-8.
            AttributeError: a text is neither str nor bytes.
            TypeError: as for ``score``.
        """
        references = list(targets)
        if not references and len(self.rouge_types):
            # Parity: rouge_score's error is NumPy's, the part in brackets.
            raise ValueError(
                "targets is empty; expected at least one reference (attempt to get argmax of an "
                "empty sequence)."
            )
        if getattr(self.score, "__func__", None) is RougeScorer.score:
            # Fast path: equals the lines below; the counts of all targets come in one call.
            return self._score(references, prediction)
        # Parity: score_multi of rouge_score calls score, which a subclass may have overridden.
        return self._choose_best([self.score(target, prediction) for target in references])

    def _choose_best(self, scores: list[dict[str, scoring.Score]]) -> dict[str, scoring.Score]:
        """Return the scores with the best F-measure, one per type, of the scores of all targets."""
        return {
            name: scores[int(np.argmax([score[name].fmeasure for score in scores]))][name]
            for name in self.rouge_types
        }

    def _score(self, targets: list[str], prediction: str) -> dict[str, scoring.Score]:
        is_plain = type(prediction) is str
        for target in targets:
            is_plain = is_plain and type(target) is str
        if is_plain or all(isinstance(text, str) for text in (prediction, *targets)):
            return self._score_texts(targets, prediction)
        if type(self._tokenizer) is tokenizers.DefaultTokenizer:
            return self._score_bytes(targets, prediction)
        return self._choose_best([self._score_objects(target, prediction) for target in targets])

    def _score_bytes(self, targets: list[Any], prediction: Any) -> dict[str, scoring.Score]:
        """Score texts of which some are bytes."""
        read = decode if self._list_types() == (ROUGE_LSUM,) else decode_lower
        lowered = [_read_text("target", target, read) for target in targets]
        others = self._score_texts(lowered, _read_text("prediction", prediction, read))
        # Parity: rouge_score lower-cases bytes before it decodes them, but not for rougeLsum, so
        # that two characters are not ASCII letters.
        scores = self._score_texts(list(map(decode, targets)), decode(prediction))
        return {name: (scores if name == ROUGE_LSUM else others)[name] for name in scores}

    def _score_objects(self, target: Any, prediction: Any) -> dict[str, scoring.Score]:
        """Score what only the caller's tokenizer can read, such as sequences of token ids."""
        sides, tokenize, types = (target, prediction), self._tokenizer.tokenize, self._list_types()
        tokens = [] if types == (ROUGE_LSUM,) else [tokenize(side) for side in sides]
        scores: dict[str, scoring.Score] = {}
        for name in types:
            if name == ROUGE_L:
                scores[name] = _score_lcs(*tokens)
            elif name == ROUGE_LSUM:
                split = _load_punkt() if self._split_summaries else NEWLINE
                sentences = [list(map(tokenize, split(decode(side)))) for side in sides]
                scores[name] = _summary_level_lcs(*sentences)
            else:
                order = int(_read_type(name).removeprefix("rouge"))
                scores[name] = _score_ngrams(*(_create_ngrams(side, order) for side in tokens))
        return scores

    def _score_texts(self, targets: list[str], prediction: str) -> dict[str, scoring.Score]:
        prepared = self._prepared
        if (
            prepared is None
            or prepared.types != tuple(self.rouge_types)
            or prepared.tokenizer is not self._tokenizer
            or prepared.splits is not self._split_summaries
        ):
            self._prepared = prepared = self._prepare()
        pairs = prepared.pairs
        if pairs is None:
            return {}
        numbers = pairs.count(prediction, targets)
        found = map(_make_score, prepared.score_best(numbers))
        scores: dict[str, scoring.Score] = dict(zip(prepared.types, found, strict=True))
        for name, place in prepared.lcs_places:
            # Parity: a text without tokens gives three ints 0, and no floats. All scores are 0
            # then, so that the first target is the best.
            if not (numbers[place + 1] and numbers[place + 2]) and not scores[name].fmeasure:
                scores[name] = scoring.NO_TOKENS
        return scores

    def _prepare(self) -> _Prepared:
        """Check the types, and plan their counts."""
        types, tokenizer, splits = self._list_types(), self._tokenizer, self._split_summaries
        if not types:
            return _Prepared(types, tokenizer, splits, None, prepare_best((), 0), ())
        kinds = [_read_type(name) for name in types]
        counted = tuple(dict.fromkeys(kinds))
        pairs = RougePairs(
            counted,
            _adapt(tokenizer),
            _load_punkt() if splits and ROUGE_LSUM in counted else NEWLINE,
            lin2004=False,
        )
        columns = [pairs.columns[counted.index(kind)] for kind in kinds]
        places = [
            (name, places[0])
            for name, kind, places in zip(types, kinds, columns, strict=True)
            if kind in (ROUGE_L, ROUGE_LSUM)
        ]
        score_best = prepare_best(columns, pairs.width)
        return _Prepared(types, tokenizer, splits, pairs, score_best, places)

    def _list_types(self) -> tuple[Any, ...]:
        types = self.rouge_types
        # Parity: rouge_score looks up a single type by its index, which a set does not have.
        return (types[0],) if len(types) == 1 else tuple(types)


def _read_type(name: object) -> str:
    """Return the name of a type without a newline; the errors are those of ``rouge_score``."""
    if name in (ROUGE_L, ROUGE_LSUM):
        return str(name)
    found = _NGRAMS.match(decode(name))
    if found is None:
        raise ValueError(f"Invalid rouge type: {name}")
    if found[1] == "rouge0":
        raise ValueError(f"rougen requires positive n: {name}")
    return found[1]


def _adapt(tokenizer: Any) -> Tokenizer:
    """Return what counts with the tokenizer of a caller; the default one is compiled."""
    if type(tokenizer) is tokenizers.DefaultTokenizer:
        return add_stemmer(TOKENIZERS["rouge"], tokenizer._uses_stemmer)  # noqa: SLF001 - ours
    return Tokenizer(name_function(tokenizer), lambda text: list(tokenizer.tokenize(text)))


def _load_punkt() -> SentenceSplitter:
    """Load NLTK's splitter; without its data the error is of the type that NLTK raises."""
    try:
        return resolve_sentence_splitter("punkt")
    except ValueError as error:
        raise LookupError(str(error)) from error


def _read_text(place: str, text: Any, read: Callable[[Any], str]) -> str:
    """Return a text as ``read`` does; an error is of the type of ``rouge_score``'s."""
    try:
        return read(text)
    except (AttributeError, TypeError) as error:
        kind = type(text).__name__
        message = f"{place} is of type {kind}; expected a str ({error})."
        raise type(error)(message) from None
