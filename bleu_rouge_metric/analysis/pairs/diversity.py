"""Self-BLEU and agreement: how similar texts are to each other; low for diverse texts.

``self_bleu`` scores each text by BLEU with all other texts as its references, by three definitions,
each bit-identical to its code: SelfBleu of Texygen (Zhu et al. 2018), ``self_bleu`` of HELM 0.5.16
and the corpus BLEU of sacrebleu 2.6. Its sums of floats are added from left to right in all Python
versions, as ``sum`` does up to Python 3.11. ``agreement`` is the mean similarity of the texts of a
group, such as the sampled answers to one question, bit-identical to LM-Polygraph 0.7.0.

Not done here: the sentence splitter of NLTK, a model that Texygen applies before it tokenizes. Each
text is one sentence, so that a full stop inside of it stays part of its word. Neither are BERTScore
and other similarities that need a model.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from ...checks import check_choice, is_sequence
from ...counting.pools import Ints, Pool
from ...counting.self_bleu import count_self_bleu
from ...families.bleu.counts import LengthScore
from ...families.bleu.family import Bleu
from ...families.counts import SampleCounts, fit_counts, from_pairs, select_counts
from ...families.score import Floats
from ...messages import type_error
from ...options.errors import check_known, refuse
from ...options.plans import Plan
from ...samples.arrow_texts import read_stream
from ...samples.inputs import Samples, check_texts
from ...scoring.pair_scorer import check_options
from ...scoring.text_warnings import warn_of_tokenization
from .groups import Groups, check_comparable, check_groups
from .pool import ScoredPool, pair_with_earlier

# The options that each definition leaves open.
_OPEN: Final[dict[str, tuple[str, ...]]] = {
    "texygen": (),
    "helm": (),
    "corpus": ("tokenizer", "lowercase"),
}

# Parity: Texygen, SelfBleu: sample_size texts, and the orders that the program asks for.
_MOST_TEXTS: Final = 500
_ORDERS: Final = (2, 3, 4, 5)

# Parity: LM-Polygraph 0.7.0, LexicalSimilarity._score_single: the weights by the number of tokens
# of the shorter text. Three times 0.33, not a third.
_EQUAL: Final = (0.25, 0.25, 0.25, 0.25)
_WEIGHTS: Final = {1: (1.0, 0.0, 0.0, 0.0), 2: (0.5, 0.5, 0.0, 0.0), 3: (0.33, 0.33, 0.33, 0.0)}


def self_bleu(texts_or_groups: object, *, definition: str, **options: object) -> dict[str, Any]:
    """Return the Self-BLEU of texts, or of each of several groups of texts.

    - ``"texygen"``: the mean of NLTK's sentence BLEU with equal weights and ``method1``, for the
      highest orders 2 to 5; from 0 to 1. Only the first 500 texts count. Each text is tokenized as
      one sentence.
    - ``"helm"``: the mean of sacrebleu's sentence BLEU with effective order; from 0 to 100. Texts
      are stripped and blank texts do not count; 0 for fewer than two texts.
    - ``"corpus"``: sacrebleu's corpus BLEU of all texts, in which the references of a text are all
      others; from 0 to 100. The options ``tokenizer`` and ``lowercase`` are sacrebleu's.

    Args:
        texts_or_groups: sequence of str; or of groups, each a sequence of str, such as the
            completions of one prompt. Texts are compared with texts of their group only.
        definition: ``"texygen"``, ``"helm"`` or ``"corpus"``.
        **options: those that the definition leaves open, as above.

    Returns:
        ``self_bleu``, or ``self_bleu_2`` to ``self_bleu_5`` for ``"texygen"``: a float, or for
        groups float64, shape (groups,).

    Raises:
        TypeError: an item is not a text, or an option does not apply.
        ValueError: there is no text, or for ``"texygen"`` and ``"corpus"`` only one.

    >>> self_bleu(["a cat sat down here", "a cat sat down there"], definition="helm")
    {'self_bleu': 66.87403049764218}
    >>> self_bleu([["a b c d", "a b c d"], ["a b", "c d"]], definition="corpus")
    {'self_bleu': array([100.,   0.])}
    """
    definition = check_choice("definition", definition, _OPEN)
    check_known(options)
    for name, value in options.items():
        if value is not None and name not in _OPEN[definition]:
            refuse(name, f"does not apply to the definition {definition!r}")
    groups, is_grouped = _check_texts_or_groups(texts_or_groups)
    least = 1 if definition == "helm" else 2
    check_comparable("groups[{}]" if is_grouped else "texts", groups, least)
    if definition == "texygen":
        scores = _score_texygen(groups)
    elif definition == "helm":
        scores = _score_helm(groups)
    else:
        scores = _score_corpus(groups, options)
    return scores if is_grouped else {name: float(each[0]) for name, each in scores.items()}


def agreement(groups: object, score: str = "rougeL", *, definition: str = "lm-polygraph") -> Floats:
    """Return the mean similarity of the texts within each group, as LM-Polygraph computes it.

    The earlier text of each pair is the reference. ``rouge1``, ``rouge2`` and ``rougeL`` are those
    of Porter stems; ``bleu`` is NLTK's sentence BLEU of words between white space, with fewer
    orders if a text has fewer than 4 words. LM-Polygraph returns minus this mean, as an
    uncertainty.

    Args:
        groups: sequence of groups, each a sequence of str.
        score: what two texts are compared with: ``"rouge1"``, ``"rouge2"``, ``"rougeL"`` or
            ``"bleu"``.
        definition: ``"lm-polygraph"``, its ``LexicalSimilarity`` (Fadeeva et al. 2023).

    Returns:
        float64, shape (groups,); from 0 to 1.

    Raises:
        TypeError: an item is not a text.
        ValueError: there is no group, a group has fewer than two texts, or the score or the
            definition is unknown.

    >>> agreement([["a cat", "a cat sat", "a dog"], ["yes", "yes"]])
    array([0.56666667, 1.        ])
    """
    check_choice("definition", definition, ("lm-polygraph",))
    score = check_choice("score", score, ("rouge1", "rouge2", "rougeL", "bleu"))
    pool = ScoredPool(score, {"profile": "nltk"} if score == "bleu" else {"use_stemmer": True})
    checked = check_groups("groups", groups)
    check_comparable("groups[{}]", checked)
    pool.add_groups("groups", checked)
    pairs = pair_with_earlier(checked.sizes)
    scores = _score_nltk(pool, pairs) if score == "bleu" else pool.score(*pairs)[score]
    # Parity: LexicalSimilarity lists the pairs of a group by the reference, then by the prediction.
    # Its np.mean adds pairwise, not from left to right; here each row of an array.
    offsets = pairs[1]
    means = np.empty(checked.n_groups)
    for size in np.unique(checked.sizes).tolist():
        own = np.flatnonzero(checked.sizes == size)
        references, predictions = np.triu_indices(size, 1)
        texts = checked.offsets[own][:, np.newaxis] + predictions
        means[own] = scores[offsets[texts] + references].mean(axis=1)
    return means


def _score_nltk(pool: ScoredPool, pairs: tuple[Ints, Ints, Ints]) -> Floats:
    """Return the sentence BLEU of each pair, with weights by the tokens of the shorter text."""
    scoring = cast("Bleu", pool.find_only()[0])
    counts = pool.count(*pairs)
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


def _check_texts_or_groups(texts_or_groups: object) -> tuple[Groups, bool]:
    """Check texts, or groups of texts; return them as groups, and whether they were groups."""
    items: Any = read_stream(texts_or_groups)
    if isinstance(items, Iterator):
        items = list(items)
    if is_sequence(items) and len(items) > 0 and is_sequence(next(iter(items))):
        return check_groups("groups", items), True
    texts, are_ids = check_texts("texts", items)
    return Groups(texts, np.array([0, len(texts)]), are_ids), False


def _score_texygen(groups: Groups) -> dict[str, Floats]:
    """Return the score of each order, shape (groups,)."""
    places = np.arange(len(groups.texts)) - groups.offsets[groups.owners]
    groups = groups.select(places < _MOST_TEXTS)
    plans = {
        order: _make_plan(profile="nltk", tokenizer="nltk", smooth="method1", max_order=order)
        for order in _ORDERS
    }
    counts = _count(groups, plans[_ORDERS[-1]])
    scores = {}
    for order, plan in plans.items():
        (scoring,) = plan.scores.values()
        # The n-grams of the lower orders are counted once.
        own = fit_counts(counts, plan.layouts)
        scores[f"self_bleu_{order}"] = _average(scoring.score_samples(own)["bleu"], groups)
    return scores


def _score_helm(groups: Groups) -> dict[str, Floats]:
    """Return the score of each group, shape (groups,)."""
    stripped = [text.strip() for text in groups.texts]
    groups = groups._replace(texts=stripped).select(np.array([*map(bool, stripped)]))
    if not groups.texts:
        return {"self_bleu": np.zeros(groups.n_groups)}
    plan = _make_plan(profile="sacrebleu", effective_order=True)
    (scoring,) = plan.scores.values()
    # Parity: HELM returns 0 for fewer than two texts. A text without others has no match, and so
    # the score 0.
    scores = scoring.score_samples(_count(groups, plan))["bleu"]
    return {"self_bleu": _average(scores, groups)}


def _score_corpus(groups: Groups, options: dict[str, Any]) -> dict[str, Floats]:
    """Return the score of each group, shape (groups,)."""
    plan = _make_plan(profile="sacrebleu", **options)
    (scoring,) = plan.scores.values()
    statistic = scoring.sums(_count(groups, plan))["bleu"].statistic
    sums = np.add.reduceat(statistic.columns, groups.offsets[:-1], dtype=np.float64)
    return {"self_bleu": statistic.score(sums)}


def _make_plan(**options: object) -> Plan:
    """Return what is counted and scored for BLEU with these options."""
    checked, families = check_options(("bleu",), options)
    return checked.plan(families)


def _count(groups: Groups, plan: Plan) -> SampleCounts:
    """Count each text against the others of its group; each sample has one reference length."""
    (score,) = cast("Iterable[LengthScore]", plan.scores.values())
    texts = groups.texts
    if plan.counts_ids:
        raise type_error("{tokenizer is 'ids'}, but Self-BLEU is of texts", remedy="leave it out.")
    samples = Samples(texts, texts, np.arange(len(texts) + 1))
    for check in plan.checks:
        check(samples)
    pool = score.prepare(Pool(texts))
    order, tokenizer = score.max_order, score.tokenizer
    found = count_self_bleu(pool.texts, groups.owners, order, tokenizer)
    arrays: dict[str, Any] = {
        f"bleu_{name}": array.astype(np.int32) for name, array in found._asdict().items()
    }
    layouts = plan.layouts
    own = arrays | {"bleu_reference_lengths": arrays["bleu_prediction_lengths"]}
    warn_of_tokenization(samples, from_pairs(own, layouts, len(texts)), plan)
    return from_pairs(arrays, layouts, len(texts))


def _average(scores: Floats, groups: Groups) -> Floats:
    """Return the mean of each group, summed from left to right; 0 for a group without texts."""
    means = []
    for values in groups.split(scores):
        total = 0.0
        for score in values.tolist():
            total += score
        means.append(total / max(len(values), 1))
    return np.array(means)
