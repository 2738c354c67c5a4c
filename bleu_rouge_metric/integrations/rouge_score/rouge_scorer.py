"""ROUGE of one pair, as ``rouge_score.rouge_scorer`` gives it.

The counts of texts come from the kernel in one call, and the scores of all types from these. Other
objects, and lists of tokens, are counted in Python.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from ...counting.lcs import count_union_lcs, lcs_length, list_lcs_pairs
from ...counting.ngrams import list_ngrams
from ...counting.pairs import RougePairs
from ...counting.rouge_types import ROUGE_L, ROUGE_LSUM
from ...families.parts import Parts
from ...families.rouge.formulas import prepare_best
from ...text.external import name_function
from ...text.sentences import NEWLINE, SentenceSplitter, resolve_sentence_splitter
from ...text.tokenizer import TOKENIZERS, Tokenizer, add_stemmer
from . import scoring, tokenizers
from .tokenize import decode

__all__ = ["RougeScorer", "lcs_ind"]

Tokens = Sequence[Hashable]

# Fast path: equals Score._make.
_make_score: Any = partial(tuple.__new__, scoring.Score)
# Parity: the score of a text without tokens has three ints.
_NO_TOKENS: Final = scoring.Score(0, 0, 0)


class _Plan(NamedTuple):
    """Types in their order, counts of texts, scores of counts, and places of hits of LCS."""

    types: tuple[str, ...]
    count_pair: Callable[[str, list[str]], list[int]]
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
        rouge_types: Iterable[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: Any = None,
    ) -> None:
        """Store the settings; types are checked when a pair is scored, as in ``rouge_score``.

        Args:
            rouge_types: names from ``rouge1`` to ``rouge9``, ``rougeL`` and ``rougeLsum``.
            use_stemmer: whether the default tokenizer stems.
            split_summaries: whether ``rougeLsum`` splits texts with NLTK's punkt, not at newlines.
            tokenizer: an object with a method ``tokenize``; None for the default.
        """
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or tokenizers.DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_plan"}

    def score(self, target: str, prediction: str) -> dict[str, scoring.Score]:
        """Score a prediction with one target.

        Args:
            target: the reference: a str, bytes, or what the caller's tokenizer reads.
            prediction: what is scored, likewise.

        Returns:
            A score for each type.

        Raises:
            ValueError: a type is unknown.
        """
        if isinstance(target, str) and isinstance(prediction, str):
            return self._score_texts([target], prediction)
        return self._score_tokens(target, prediction)

    def score_multi(self, targets: Iterable[str], prediction: str) -> dict[str, scoring.Score]:
        """Score a prediction with several targets: for each type the one with the best F-measure.

        Args:
            targets: one or more references.
            prediction: what is scored.

        Raises:
            ValueError: a type is unknown, or there is no target.
        """
        references = list(targets)
        if not references:
            raise ValueError("targets is empty; expected at least one reference.")
        is_plain = all(isinstance(text, str) for text in (prediction, *references))
        # Parity: score_multi of rouge_score calls score, which a subclass may have overridden.
        if is_plain and getattr(self.score, "__func__", None) is RougeScorer.score:
            # Fast path: equals the lines below.
            return self._score_texts(references, prediction)
        scores = [self.score(target, prediction) for target in references]
        return {
            name: max((score[name] for score in scores), key=lambda score: score.fmeasure)
            for name in self.rouge_types
        }

    def _score_texts(self, targets: list[str], prediction: str) -> dict[str, scoring.Score]:
        """Score texts; the counts of all targets come in one call."""
        plan = self._plan
        numbers = plan.count_pair(prediction, targets)
        found = map(_make_score, plan.score_best(numbers))
        scores: dict[str, scoring.Score] = dict(zip(plan.types, found, strict=True))
        for name, place in plan.lcs_places:
            # All scores are 0 then, so that the first target is the best.
            if not (numbers[place + 1] and numbers[place + 2]) and not scores[name].fmeasure:
                scores[name] = _NO_TOKENS
        return scores

    @cached_property
    def _plan(self) -> _Plan:
        types = tuple(map(_check_type, self.rouge_types))
        if not types:
            return _Plan((), lambda *_: [], lambda _: [], ())
        counted = tuple(dict.fromkeys(types))
        given = self._tokenizer
        # The default tokenizer is compiled.
        if type(given) is tokenizers.DefaultTokenizer:
            tokenizer = add_stemmer(TOKENIZERS["rouge"], bool(given._stemmer))  # noqa: SLF001
        else:
            tokenizer = Tokenizer(name_function(given), lambda text: list(given.tokenize(text)))
        split = self._splitter if ROUGE_LSUM in types else NEWLINE
        pairs = RougePairs(counted, tokenizer, split, lin2004=False)
        columns = [pairs.columns[counted.index(name)] for name in types]
        places = [(name, column[0]) for name, column in zip(types, columns, strict=True)]
        return _Plan(
            types,
            pairs.count,
            prepare_best(columns, pairs.width),
            [place for place in places if place[0] in (ROUGE_L, ROUGE_LSUM)],
        )

    @property
    def _splitter(self) -> SentenceSplitter:
        return resolve_sentence_splitter("punkt") if self._split_summaries else NEWLINE

    def _score_tokens(self, *sides: Any) -> dict[str, scoring.Score]:
        """Score what only the tokenizer can read, such as bytes or sequences of token ids."""
        types, tokenize = tuple(map(_check_type, self.rouge_types)), self._tokenizer.tokenize
        # Parity: a text is not read as a whole for rougeLsum alone.
        tokens = [] if types == (ROUGE_LSUM,) else [tokenize(side) for side in sides]
        scores: dict[str, scoring.Score] = {}
        for name in types:
            if name == ROUGE_L:
                scores[name] = _score_lcs(*tokens)
            elif name == ROUGE_LSUM:
                split = self._splitter
                sentences = [list(map(tokenize, split(decode(side)))) for side in sides]
                scores[name] = _summary_level_lcs(*sentences)
            else:
                scores[name] = _score_ngrams(
                    *(_create_ngrams(side, int(name[5:])) for side in tokens)
                )
        return scores


def _check_type(name: str) -> str:
    """Return the name of a type that can be counted."""
    if not re.fullmatch("rouge([1-9]|L|Lsum)", str(name)):
        raise ValueError(
            f"Invalid rouge type: {name}; expected rouge1 to rouge9, rougeL, rougeLsum."
        )
    return name


# Programs import these functions of lists of tokens although their names begin with an underscore.


def _create_ngrams(tokens: Tokens, n: int) -> Counter[Any]:
    """Count the n-grams of an order of at least 1, each a tuple.

    >>> _create_ngrams(["a", "b", "a"], 1)
    Counter({('a',): 2, ('b',): 1})
    """
    # Parity: unigrams are tuples too.
    return Counter([(token,) for token in tokens] if n == 1 else list_ngrams(tokens, n))


def _score_ngrams(target_ngrams: Mapping[Any, int], prediction_ngrams: Any) -> scoring.Score:
    """Score ROUGE-N of how often each n-gram occurs in the reference and in the prediction.

    >>> _score_ngrams(Counter("aab"), Counter("abbb"))
    Score(precision=0.5, recall=0.6666666666666666, fmeasure=0.5714285714285715)
    """
    hits = sum(min(count, prediction_ngrams[ngram]) for ngram, count in target_ngrams.items())
    return _score_hits(hits, sum(prediction_ngrams.values()), sum(target_ngrams.values()))


def _score_hits(hits: int, prediction_total: int, target_total: int) -> scoring.Score:
    # Parity: 0.0 if a total is 0.
    precision, recall = hits / max(prediction_total, 1), hits / max(target_total, 1)
    return scoring.Score(precision, recall, scoring.fmeasure(precision, recall))


def _score_lcs(target_tokens: Tokens, prediction_tokens: Tokens) -> scoring.Score:
    """Score ROUGE-L.

    >>> _score_lcs(["a", "b", "c", "d"], ["b", "d"])
    Score(precision=1.0, recall=0.5, fmeasure=0.6666666666666666)
    """
    if not target_tokens or not prediction_tokens:
        return _NO_TOKENS
    hits = lcs_length(target_tokens, prediction_tokens)
    return _score_hits(hits, len(prediction_tokens), len(target_tokens))


def _summary_level_lcs(ref_sent: Sequence[Tokens], can_sent: Sequence[Tokens]) -> scoring.Score:
    """Score ROUGE-Lsum of the tokens of sentences.

    >>> _summary_level_lcs([["a", "b"], ["c"]], [["c", "a", "b"]]).recall
    1.0
    """
    target_total, prediction_total = sum(map(len, ref_sent)), sum(map(len, can_sent))
    if not target_total or not prediction_total:
        return _NO_TOKENS
    return _score_hits(count_union_lcs(ref_sent, can_sent), prediction_total, target_total)


def _lcs_table(ref: Tokens, can: Tokens) -> list[list[int]]:
    """Return the LCS length of each prefix of the reference with each of the prediction."""
    return [
        [lcs_length(ref[:row], can[:column]) for column in range(len(can) + 1)]
        for row in range(len(ref) + 1)
    ]


def _backtrack_norec(t: object, ref: Tokens, can: Tokens) -> list[int]:  # noqa: ARG001 - as there
    """Return the positions of the LCS in the reference; ``t`` is its table, which is not read."""
    return lcs_ind(ref, can)


def lcs_ind(ref: Tokens, can: Tokens) -> list[int]:
    """Return the positions of the LCS in the reference.

    >>> lcs_ind(["a", "b", "a"], ["b", "a", "b"])
    [0, 1]
    """
    return [place for _, place in list_lcs_pairs(ref, can)]


def _union_lcs(ref: Tokens, c_list: Iterable[Tokens]) -> list[Hashable]:
    """Return the tokens of the reference that are in its LCS with any of the sentences."""
    return [ref[place] for place in _find_union([lcs_ind(ref, can) for can in c_list])]


def _find_union(lcs_list: Iterable[Iterable[int]]) -> list[int]:
    """Return the positions that any of the lists has, ascending."""
    return sorted(set().union(*lcs_list))
