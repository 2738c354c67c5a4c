"""BLEU against the average of several references: averaged n-gram counts and lengths.

DeNero et al. (2009), as mbrs 0.1.8 aggregates references.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from ...arrays import to_offsets
from ...counting.ngrams import list_ngrams
from ...counting.pools import Ints, Pool
from ...families.base import Floats
from ...families.bleu.rows import score_rows
from ...families.bleu.rules import BleuRules
from ...families.bleu.scoring import BleuScoring
from ...messages import Argument, format_message, value_error
from ...text.tokenizer import Tokenizer
from .groups import Groups
from .scored_pool import ScoredPool

# Smoothings of sacrebleu; those of NLTK need whole numbers of matches.
_SMOOTHINGS: Final = ("none", "floor", "add-k", "exp")

# How often each n-gram occurs.
Counts = Counter[Hashable]


class Task(NamedTuple):
    """Candidates, pseudo-references, their indices in a pool, and weights with a sum per group."""

    candidates: Groups
    references: Groups
    rows: Ints
    columns: Ints
    weights: Floats
    totals: Floats

    def split(self, scores: Floats) -> list[Floats]:
        """Return the matrix of each group, from the scores of all pairs."""
        widths = self.references.sizes
        stops = to_offsets(self.candidates.sizes * widths).tolist()
        parts = zip(pairwise(stops), widths.tolist(), strict=True)
        return [scores[start:stop].reshape(-1, width) for (start, stop), width in parts]


class Averages(NamedTuple):
    """BLEU against averages: the texts of BLEU in the pool, and its rules."""

    pool: Pool
    tokenizer: Tokenizer
    rules: BleuRules

    def score(self, task: Task) -> Floats:
        """Return BLEU of each candidate against the averages of its group."""
        # Source: DeNero et al. (2009), "Fast Consensus Decoding over Translation Forests": n-grams
        # match at most as often as the references have them on average.
        order = self.rules.max_order
        lengths = np.zeros(len(self.pool.texts))
        matches: list[list[float]] = []
        starts, stops = task.candidates.offsets.tolist(), task.references.offsets.tolist()
        for group in range(task.candidates.n_groups):
            texts = task.rows[starts[group] : starts[group + 1]].tolist()
            part = slice(stops[group], stops[group + 1])
            columns, weights = task.columns[part].tolist(), task.weights[part].tolist()
            counts: dict[int, list[Counts]] = {}
            for text in dict.fromkeys((*texts, *columns)):
                tokens = self.tokenizer(self.pool.texts[text])
                lengths[text] = len(tokens)
                counts[text] = [Counter(list_ngrams(tokens, n + 1)) for n in range(order)]
            references = [counts[column] for column in columns]
            means = _average_counts(references, weights, float(task.totals[group]))
            matches += [list(map(_match, counts[row], means)) for row in texts]
        ours = lengths[task.rows]
        sums = np.bincount(task.references.owners, task.weights * lengths[task.columns])
        theirs = (sums / task.totals)[task.candidates.owners]
        ngrams = np.maximum(ours[:, np.newaxis] - np.arange(1, order), 0)
        rows = np.column_stack((ours, theirs, matches, ngrams))
        return score_rows(rows, self.rules, is_sentence=True)


def prepare_averages(pool: ScoredPool) -> Averages:
    """Return what scores against averages; raise ValueError if the options do not allow it."""
    counting, scoring, texts = pool.find_only()
    if not isinstance(scoring, BleuScoring) or scoring.rules.arithmetic != "sacrebleu":
        raise value_error(
            "{aggregate is True}, but {score} is {!r} of {profile} {!r}",
            *(pool.names[0], pool.options.profile),
            expected=format_message("expected {score='bleu'} of {profile='sacrebleu'}."),
        )
    rules = scoring.rules
    if rules.auto_reweigh or rules.smooth not in _SMOOTHINGS:
        name = "auto_reweigh" if rules.auto_reweigh else "smooth"
        raise value_error(
            "{aggregate is True}, but {} needs whole numbers of matches",
            Argument(name, "=", getattr(rules, name)),
            remedy="leave it out.",
        )
    # Each group has one average length, so that the choice among lengths has no effect.
    return Averages(texts, counting.tokenizer, rules._replace(reference_length="closest"))


def _average_counts(
    references: Sequence[Sequence[Counts]], weights: Sequence[float], total: float
) -> list[dict[Hashable, float]]:
    """Return the weighted mean counts of the n-grams of each order.

    >>> _average_counts([[Counter("aab")], [Counter("a")]], [1.0, 1.0], 2.0)
    [{'a': 1.5, 'b': 0.5}]
    """
    # Parity: mbrs, MetricBLEU._aggregate_references, adds reference by reference too. What it adds
    # is exp(log(count) + log(weight)), which rounds more: exp(log(5)) is 4.999999999999999.
    sums: list[dict[Hashable, float]] = [{} for _ in references[0]]
    for counts, weight in zip(references, weights, strict=True):
        for order, found in zip(sums, counts, strict=True):
            for ngram, count in found.items():
                order[ngram] = order.get(ngram, 0.0) + count * weight
    return [{ngram: value / total for ngram, value in order.items()} for order in sums]


def _match(counts: Counts, means: dict[Hashable, float]) -> float:
    """Return how often n-grams match, added in the order in which they occur first."""
    matches = 0.0
    for ngram, count in counts.items():
        matches += min(count, means.get(ngram, 0.0))
    return matches
