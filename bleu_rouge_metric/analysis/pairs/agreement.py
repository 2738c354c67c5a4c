"""The mean similarity of texts within groups, such as the sampled answers to one question.

Three published definitions, each bit-identical to its code: LexicalSimilarity of LM-Polygraph
0.7.0; the syntactic similarity of Kuhn et al. (2023), "Semantic Uncertainty"; and
``homogenization_score`` of the library diversity 0.3.1. Sums of floats are added from left to right
in all Python versions, as ``sum`` does up to Python 3.11.

Not done here: BERTScore and other similarities that need a model.
"""

from dataclasses import replace
from typing import Any, Final, NamedTuple, cast

import numpy as np

from ...arrays import to_offsets
from ...checks import check_choice, check_flag
from ...counting.pools import Ints, PoolPairs
from ...families.base import Floats
from ...families.bleu.scoring import BleuScoring
from ...families.counts import SampleCounts, from_pairs, select_counts
from ...options.relevance import check_known, refuse
from ...rounding import exact_mean
from .groups import check_comparable, check_groups
from .scored_pool import ScoredPool

# The scores of each definition.
_SCORES: Final = {
    "lm-polygraph": ("rouge1", "rouge2", "rougeL", "bleu"),
    "kuhn2023": ("rouge1", "rouge2", "rougeL"),
    "homogenization": ("rougeL", "bleu"),
}

# Parity: LM-Polygraph 0.7.0, LexicalSimilarity._score_single: the weights by the number of tokens
# of the shorter text. Three times 0.33, not a third.
_EQUAL: Final = (0.25, 0.25, 0.25, 0.25)
_WEIGHTS: Final = {1: (1.0, 0.0, 0.0, 0.0), 2: (0.5, 0.5, 0.0, 0.0), 3: (0.33, 0.33, 0.33, 0.0)}


class _Block(NamedTuple):
    """The pairs of all groups of one size.

    Attributes:
        groups: indices of the groups.
        size: texts per group.
        pairs: indices of pairs, shape (groups, pairs of a group), by reference, then by prediction.
    """

    groups: Ints
    size: int
    pairs: Ints


class _Pairs(NamedTuple):
    """The pairs of all groups; the first three are those of ``PoolPairs``."""

    rows: Ints
    offsets: Ints
    columns: Ints
    blocks: list[_Block]


def agreement(
    groups: object, score: str = "rougeL", *, definition: str, **options: object
) -> Floats:
    """Return the mean similarity of the texts within each group.

    - ``"lm-polygraph"``: each pair of texts, the earlier one as the reference. ``rouge1``,
      ``rouge2`` or ``rougeL`` with Porter stems; or ``bleu``: NLTK's sentence BLEU of words between
      white space, with fewer orders if a text has fewer than 4 words. LM-Polygraph returns minus
      this mean, as an uncertainty.
    - ``"kuhn2023"``: each pair of unequal texts in both orders; ``rouge1``, ``rouge2`` or
      ``rougeL`` without stems; 0 if all texts of a group are equal. The published code takes the
      median of resampled means, which is random; this is the mean itself.
    - ``"homogenization"``: each pair in both orders; ``rougeL`` with the option ``use_stemmer``; or
      ``bleu``: evaluate's corpus BLEU of all other texts against each text, divided by their
      number. A result of 0 becomes 1, as in the library. Rounded to 3 digits.

    Args:
        groups: sequence of groups, each a sequence of str.
        score: what two texts are compared with.
        definition: ``"lm-polygraph"``, ``"kuhn2023"`` or ``"homogenization"``.
        **options: ``use_stemmer``, False by default, for ``"homogenization"`` with ``rougeL``. The
            definition determines all other options.

    Returns:
        float64, shape (groups,); from 0 to 1.

    Raises:
        TypeError: an item is not a text, or an option does not apply.
        ValueError: there is no group; a group is empty or, except for ``"kuhn2023"``, has one text;
            or the definition does not have the score.

    >>> agreement([["a cat", "a cat sat", "a dog"], ["yes", "yes"]], definition="lm-polygraph")
    array([0.56666667, 1.        ])
    """
    definition = check_choice("definition", definition, _SCORES)
    score = check_choice("score", score, _SCORES[definition])
    pool = ScoredPool(score, _choose_options(definition, score, options))
    checked = check_groups("groups", groups)
    # Parity: the published code of kuhn2023 gives a single text 0, as texts that are equal.
    check_comparable("groups[{}]", checked, 1 if definition == "kuhn2023" else 2)
    pool.add("groups", checked.texts)
    pairs = _pair_texts(checked.offsets, is_ordered=definition != "lm-polygraph")
    if definition == "homogenization":
        return _homogenize(pool, pairs, score)
    if definition == "kuhn2023":
        return _average_unequal(pool, pairs, score, checked.texts)
    scores = _score_nltk(pool, pairs) if score == "bleu" else _score(pool, pairs, score)
    means = np.empty(checked.n_groups)
    for block in pairs.blocks:
        # Parity: np.mean adds pairwise, not from left to right; here each row of an array.
        means[block.groups] = scores[block.pairs].mean(axis=1)
    return means


def _choose_options(definition: str, score: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a definition; raise TypeError for one that it determines."""
    can_stem = definition == "homogenization" and score == "rougeL"
    check_known(given)
    for name, value in given.items():
        if value is not None and not (can_stem and name == "use_stemmer"):
            refuse(name, f"does not apply to the definition {definition!r} of {score}")
    if definition == "lm-polygraph":
        return {"profile": "nltk"} if score == "bleu" else {"use_stemmer": True}
    stems = given.get("use_stemmer")
    return {} if stems is None else {"use_stemmer": check_flag("use_stemmer", stems)}


def _pair_texts(offsets: Ints, *, is_ordered: bool) -> _Pairs:
    """Pair each text of a group as a prediction with all others, or with those before it."""
    sizes = np.diff(offsets)
    rows, counts, columns, blocks = [], [], [], []
    n_pairs = 0
    for size in np.unique(sizes).tolist():
        texts = np.arange(size)
        is_pair = texts[:, None] != texts if is_ordered else texts[:, None] > texts
        predictions, references = np.nonzero(is_pair)
        n_references = np.bincount(predictions, minlength=size)
        has_pairs = np.flatnonzero(n_references)
        groups = np.flatnonzero(sizes == size)
        starts = offsets[groups][:, None]
        rows.append((starts + has_pairs).reshape(-1))
        counts.append(np.tile(n_references[has_pairs], len(groups)))
        columns.append((starts + references).reshape(-1))
        firsts = n_pairs + np.arange(len(groups))[:, None] * len(references)
        blocks.append(_Block(groups, size, firsts + np.lexsort((predictions, references))))
        n_pairs += len(columns[-1])
    return _Pairs(
        np.concatenate(rows), to_offsets(np.concatenate(counts)), np.concatenate(columns), blocks
    )


def _score(pool: ScoredPool, pairs: _Pairs, score: str) -> Floats:
    """Return the score of each pair."""
    if not len(pairs.columns):
        return np.zeros(0)
    return pool.score(pairs.rows, pairs.offsets, pairs.columns)[score]


def _count_bleu(pool: ScoredPool, pairs: _Pairs) -> tuple[BleuScoring, SampleCounts]:
    """Count each pair for BLEU; return also how it is scored."""
    counting, scoring, texts = pool.find_only()
    arrays = counting.count(PoolPairs(texts, *pairs[:3]))
    bleu = cast("BleuScoring", scoring)
    return bleu, from_pairs(arrays, counting.layout(), len(pairs.columns))


def _score_nltk(pool: ScoredPool, pairs: _Pairs) -> Floats:
    """Return the sentence BLEU of each pair, with weights by the tokens of the shorter text."""
    scoring, counts = _count_bleu(pool, pairs)
    shorter = np.minimum(counts["bleu_prediction_lengths"], counts["bleu_reference_lengths"])
    scores = np.empty(len(shorter))
    # Parity: LM-Polygraph gives texts without tokens the weights of long texts; they score 0.
    kinds = np.where(np.isin(shorter, list(_WEIGHTS)), shorter, 0)
    for kind in np.unique(kinds).tolist():
        # Options refuse weights whose sum is 0.99.
        rules = scoring.rules._replace(weights=(_WEIGHTS.get(kind, _EQUAL),))
        places = np.flatnonzero(kinds == kind)
        own = replace(scoring, rules=rules).score_samples(select_counts(counts, places))
        scores[places] = own["bleu"]
    return scores


def _average_unequal(pool: ScoredPool, pairs: _Pairs, score: str, texts: list[str]) -> Floats:
    """Return the mean of the pairs of unequal texts of each group; 0 if there are none."""
    scores = _score(pool, pairs, score)
    numbers: dict[str, int] = {}
    ids = np.array([numbers.setdefault(text, len(numbers)) for text in texts])
    is_unequal = ids[np.repeat(pairs.rows, np.diff(pairs.offsets))] != ids[pairs.columns]
    means = np.zeros(sum(len(block.groups) for block in pairs.blocks))
    for block in pairs.blocks:
        for group, places in zip(block.groups.tolist(), block.pairs, strict=True):
            found = scores[places[is_unequal[places]]]
            # Parity: the published code leaves the similarity of equal texts at 0, not at 1.
            means[group] = exact_mean(found) if len(found) else 0.0
    return means


def _homogenize(pool: ScoredPool, pairs: _Pairs, score: str) -> Floats:
    """Return the homogenization score of each group."""
    if score == "bleu":
        scoring, counts = _count_bleu(pool, pairs)
        statistic = scoring.sum(counts)["bleu"].statistic
    else:
        # Parity: the library calls the other text the target, and each text in turn the prediction.
        # The F-measure is the same both ways, to the last bit.
        scores = _score(pool, pairs, score)
    results = np.empty(sum(len(block.groups) for block in pairs.blocks))
    for block in pairs.blocks:
        others = block.size - 1
        by_text = block.pairs.reshape(len(block.groups), block.size, others)
        if score == "bleu":
            sums = statistic.columns[by_text].sum(axis=2, dtype=np.float64)
            sums = sums.reshape(-1, sums.shape[-1])
            totals = statistic.score(sums).reshape(by_text.shape[:2])
        else:
            totals = _add_up(scores[by_text])
        total = _add_up(totals / others)
        # Parity: so texts without a common word have 1, as if all were equal.
        total[total == 0] = block.size
        # Parity: round() of a float of Python, not of NumPy, which differ in the last digit.
        results[block.groups] = [round(value, 3) for value in (total / block.size).tolist()]
    return results


def _add_up(values: Floats) -> Floats:
    """Sum along the last axis from left to right, without compensation."""
    total = np.zeros(values.shape[:-1])
    for at in range(values.shape[-1]):
        total += values[..., at]
    return total
