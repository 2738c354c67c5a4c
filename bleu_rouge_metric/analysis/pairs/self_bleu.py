"""Self-BLEU: how similar generated texts are to each other; low for diverse texts.

Each text is scored by BLEU with all other texts as its references. Three definitions, each
bit-identical to its code: SelfBleu of Texygen (Zhu et al. 2018), ``self_bleu`` of HELM 0.5.16, and
the corpus BLEU of sacrebleu 2.6. Sums of floats are added from left to right in all Python
versions, as ``sum`` does up to Python 3.11.

Not done here: the sentence splitter of NLTK, a model that Texygen applies before it tokenizes. Each
text is one sentence, so that a full stop inside of it stays part of its word.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

import numpy as np

from ...arrays import to_offsets
from ...checks import check_choice, is_sequence
from ...counting.others import count_bleu_by_others
from ...counting.pools import Pool
from ...families.base import Floats
from ...families.bleu.counting import BleuCounting
from ...families.counts import SampleCounts, fit_counts, from_arrays
from ...messages import type_error
from ...options.plans import Plan
from ...options.relevance import check_known, refuse
from ...samples.arrow_texts import read_stream
from ...samples.inputs import Samples, check_texts
from ...scoring.lost_texts import warn_of_lost_texts
from ...scoring.pair_checks import check_options
from .groups import Groups, check_comparable, check_groups

# The options that each definition leaves open.
_OPEN: Final[dict[str, tuple[str, ...]]] = {
    "texygen": (),
    "helm": (),
    "corpus": ("tokenizer", "lowercase"),
}

# Parity: Texygen, SelfBleu: sample_size texts, and the orders that the program asks for.
_MOST_TEXTS: Final = 500
_ORDERS: Final = (2, 3, 4, 5)


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
        scores = {"self_bleu": _score_helm(groups)}
    else:
        scores = {"self_bleu": _score_corpus(groups, options)}
    return scores if is_grouped else {name: float(each[0]) for name, each in scores.items()}


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
    groups = _take_firsts(groups)
    plans = {
        order: _make_plan(profile="nltk", tokenizer="nltk", smooth="method1", max_order=order)
        for order in _ORDERS
    }
    counts = _count(groups, plans[_ORDERS[-1]])
    scores = {}
    for order, plan in plans.items():
        (scoring,) = plan.scoring.parts.values()
        # The n-grams of the lower orders are counted once.
        own = fit_counts(counts, plan.counting.layouts)
        scores[f"self_bleu_{order}"] = _average(scoring.score_samples(own)["bleu"], groups)
    return scores


def _score_helm(groups: Groups) -> Floats:
    """Return the score of each group, shape (groups,)."""
    stripped = [text.strip() for text in groups.texts]
    kept = np.array([bool(text) for text in stripped], dtype=np.int64)
    groups = Groups(list(filter(None, stripped)), to_offsets(kept)[groups.offsets], are_ids=False)
    if not groups.texts:
        return np.zeros(groups.n_groups)
    plan = _make_plan(profile="sacrebleu", effective_order=True)
    (scoring,) = plan.scoring.parts.values()
    # Parity: HELM returns 0 for fewer than two texts. A text without others has no match, and so
    # the score 0.
    return _average(scoring.score_samples(_count(groups, plan))["bleu"], groups)


def _score_corpus(groups: Groups, options: dict[str, Any]) -> Floats:
    """Return the score of each group, shape (groups,)."""
    plan = _make_plan(profile="sacrebleu", **options)
    (scoring,) = plan.scoring.parts.values()
    statistic = scoring.sum(_count(groups, plan))["bleu"].statistic
    sums = np.add.reduceat(statistic.columns, groups.offsets[:-1], dtype=np.float64)
    return statistic.score(sums)


def _take_firsts(groups: Groups) -> Groups:
    """Return the first texts of each group that Texygen reads."""
    sizes = np.minimum(groups.sizes, _MOST_TEXTS)
    starts = groups.offsets[:-1].tolist()
    spans = zip(starts, (groups.offsets[:-1] + sizes).tolist(), strict=True)
    texts = [text for start, stop in spans for text in groups.texts[start:stop]]
    return Groups(texts, to_offsets(sizes), are_ids=False)


def _make_plan(**options: object) -> Plan:
    """Return what is counted and scored for BLEU with these options."""
    checked, families = check_options(("bleu",), options)
    return checked.plan(families)


def _count(groups: Groups, plan: Plan) -> SampleCounts:
    """Count each text against the others of its group; each sample has one reference length."""
    (counting,) = cast("Iterable[BleuCounting]", plan.counting.parts.values())
    texts = groups.texts
    if plan.counting.of_ids:
        raise type_error("{tokenizer is 'ids'}, but Self-BLEU is of texts", remedy="leave it out.")
    samples = Samples(texts, texts, np.arange(len(texts) + 1))
    for check in plan.counting.checks:
        check(samples)
    pool = counting.prepare(Pool(texts))
    order, tokenizer = counting.max_order, counting.tokenizer
    found = count_bleu_by_others(pool.texts, groups.owners, order, tokenizer)
    arrays: dict[str, Any] = {
        f"bleu_{name}": array.astype(np.int32) for name, array in found._asdict().items()
    }
    arrays["reference_counts"] = np.ones(len(texts), dtype=np.int64)
    own = arrays | {"bleu_reference_lengths": arrays["bleu_prediction_lengths"]}
    warn_of_lost_texts(samples, from_arrays(own, plan.counting.layouts), plan.counting)
    return from_arrays(arrays, plan.counting.layouts)


def _average(scores: Floats, groups: Groups) -> Floats:
    """Return the mean of each group, summed from left to right; 0 for a group without texts."""
    means = []
    for values in groups.split(scores):
        total = 0.0
        for score in values.tolist():
            total += score
        means.append(total / max(len(values), 1))
    return np.array(means)
