"""The ways from samples and options to scores, each as a function of a case.

The ways of one group give the same value for a case, or refuse it with the same error.
"""

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import evaluate

from bleu_rouge_metric import (
    Options,
    PairScorer,
    Scorer,
    bleu_score,
    explain,
    load,
    rouge_scores,
    score_matrix,
    score_table,
    use_kernel,
)
from bleu_rouge_metric.counting.kernels import current_kernel
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.options.profiles import Family
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.schema import CALLABLE

from ..support.commands import ONE_REFERENCE

SEED: Final = 3


class Case(NamedTuple):
    """What a way is given: samples, options, and the family that is asked for."""

    predictions: list[Any]
    references: list[Any]
    options: dict[str, Any]
    family: Family | None = None


Way = Callable[[Case], Any]


@cache
def load_metric(family: Family | None) -> evaluate.Metric:
    """Load the metric once, as programs do: no case may leave anything behind in it."""
    return load(family, seed=SEED)


def compute(case: Case) -> Any:
    metric = load_metric(case.family)
    return metric.compute(predictions=case.predictions, references=case.references, **case.options)


def compute_added(case: Case) -> Any:
    """Score with ``metric.compute`` what was added sample by sample."""
    metric = load(case.family, seed=SEED)
    for prediction, references in zip(case.predictions, case.references, strict=True):
        metric.add(prediction=prediction, reference=references)
    return metric.compute(**case.options)


def make_scorer(case: Case) -> Scorer:
    scorer = Scorer(case.family, **case.options)
    # A seed that is given is warned of if nothing is resampled, which takes most of the time.
    scorer.seed = SEED
    return scorer


def fill(scorer: Scorer, case: Case) -> Scorer:
    scorer.update(case.predictions, case.references)
    return scorer


def score(case: Case) -> Any:
    return fill(make_scorer(case), case).result()


def score_in_python(case: Case) -> Any:
    """Score with a ``Scorer`` and the kernel in Python, which a signature names."""
    with use_kernel("python"):
        scores = score(case)
    if "signature" in scores:
        scores["signature"] = scores["signature"].replace(
            "|kernel:python|", f"|kernel:{current_kernel()}|"
        )
    return scores


def score_pieces(case: Case) -> Any:
    """Score with scorers of one sample each, from the last to the first, that are saved."""
    merged = make_scorer(case)
    for index in reversed(range(len(case.predictions))):
        part = make_scorer(case)
        part.update([case.predictions[index]], [case.references[index]], keys=[index])
        saved = make_scorer(case)
        saved.load_state_dict(part.state_dict())
        merged.merge(pickle.loads(pickle.dumps(saved)))
    return merged.result()


def score_tables(case: Case) -> Any:
    """Score counts of two batches, as engines count them; the last batch comes first."""
    columns = {
        "prediction": case.predictions,
        "reference": list(map(_list_references, case.references)),
        "key": list(range(len(case.predictions))),
    }
    tables = []
    for part in (slice(1, None), slice(1)):
        batch = {name: column[part] for name, column in columns.items()}
        if batch["key"]:
            tables.append(count_batch(batch, key_column="key", family=case.family, **case.options))
    scorer = reduce_counts(tables, family=case.family, **case.options)
    scorer.seed = SEED
    return scorer.result()


def _list_references(item: Any) -> list[Any]:
    """Return the references of one sample as a list: texts, or sequences of ids."""
    is_one = isinstance(item, str) or not item or isinstance(item[0], int)
    return [item] if is_one else item


def score_signature(case: Case) -> Any:
    """Score with the options that a signature names, and functions, which it can only name."""
    scorer = fill(make_scorer(case), case)
    line = scorer.signature()
    functions = {
        name: getattr(scorer.options, name) for name in OPTIONS if f"|{name}:{CALLABLE}" in line
    }
    options = Options.from_signature(line, **functions)
    other = fill(Scorer.from_options(options, scorer.families, SEED), case)
    assert other.signature() == line
    # The flag of the signature itself is not signed.
    return other.result(signature=scorer.options.signature)


def sentences_of_scorer(case: Case) -> Any:
    """Score every sample alone by the BLEU of sentences."""
    scores: Any = fill(make_scorer(case), case).result(sentence_bleu=True)["sentence_bleu"]
    # Of coco, one list per order; of pairs, all orders of one pair.
    return list(zip(*scores, strict=True)) if case.options.get("profile") == "coco" else scores


def fmeasures_of_scorer(case: Case) -> Any:
    scores = fill(make_scorer(case), case).result(use_aggregator=False, detailed=False)
    return list(zip(*scores.values(), strict=True))


def make_pair_scorer(case: Case) -> PairScorer:
    options = dict(case.options)
    if options.get("profile") in ("coco", *ONE_REFERENCE):
        families: Any = [case.family]
        plan = Options.from_keywords(options, families).plan(families)
        (scoring,) = plan.scores.values()
        # The names of the scores say what the types are.
        options.pop("rouge_types", None)
        return PairScorer(scoring.names, **options)
    if case.family == "bleu":
        is_gleu = options.get("profile") == "google_bleu"
        return PairScorer("google_bleu" if is_gleu else "bleu", **options)
    checked = Options.from_keywords(options, ["rouge"])
    options.pop("rouge_types", None)
    return PairScorer(checked.rouge_types, **options)


def score_pairs(case: Case) -> Any:
    """Score one pair after the other; a named tuple of scores is a tuple."""
    scorer = make_pair_scorer(case)
    return [
        scorer(prediction, references)
        for prediction, references in zip(case.predictions, case.references, strict=True)
    ]


def score_pairs_in_python(case: Case) -> Any:
    with use_kernel("python"):
        return score_pairs(case)


def score_batch(case: Case) -> Any:
    scores = make_pair_scorer(case).batch(case.predictions, case.references)
    if isinstance(scores, tuple):
        return list(zip(*(array.tolist() for array in scores), strict=True))
    return scores.tolist()


def score_columns(case: Case) -> Any:
    scorer = make_pair_scorer(case)
    names = (scorer.score,) if isinstance(scorer.score, str) else scorer.score
    options = {name: value for name, value in case.options.items() if name != "rouge_types"}
    table = {"prediction": case.predictions, "reference": case.references}
    scored = score_table(table, scorer.score, **options)
    columns = [scored[name] for name in names]
    return columns[0] if isinstance(scorer.score, str) else list(zip(*columns, strict=True))


def score_pool(case: Case) -> Any:
    # Samples of several references, of which a matrix has none, are scored as pairs.
    references = list(map(_list_references, case.references))
    if any(len(texts) > 1 for texts in references):
        return score_batch(case)
    scorer = make_pair_scorer(case)
    options = {name: value for name, value in case.options.items() if name != "rouge_types"}
    others = [texts[0] for texts in references]
    found = score_matrix(case.predictions, others, scorer.score, **options)
    if isinstance(scorer.score, str):
        return found.diagonal().tolist()
    return list(zip(*(found[name].diagonal().tolist() for name in scorer.score), strict=True))


def call_bleu_score(case: Case) -> Any:
    """Score with ``bleu_score``, whose fields are the keys of ``metric.compute``."""
    score: Any = bleu_score(case.predictions, case.references, **case.options)
    return score if isinstance(score, dict) else score._asdict()


def call_rouge_scores(case: Case) -> Any:
    """Score with ``rouge_scores``, as ``metric.compute`` gives detailed scores of samples."""
    scores = rouge_scores(case.predictions, case.references, **case.options)
    return {
        name: {part: array.tolist() for part, array in score._asdict().items()}
        for name, score in scores.items()
    }


def detail_of_scorer(case: Case) -> Any:
    scores: Any = fill(make_scorer(case), case).result(use_aggregator=False, detailed=True)
    parts = {"r": "recall", "p": "precision", "f": "fmeasure"}
    return {
        name: {parts.get(key, key): values for key, values in found.items()}
        for name, found in scores.items()
    }


def one_by_one(way: Way) -> Way:
    """Make a way that gives a list: what another way gives for each sample alone."""

    def score_each(case: Case) -> Any:
        return [
            way(case._replace(predictions=[prediction], references=[references]))
            for prediction, references in zip(case.predictions, case.references, strict=True)
        ]

    score_each.__name__ = f"{way.__name__}_one_by_one"
    return score_each


def explain_bleu(case: Case) -> Any:
    """Explain one sample: its BLEU, or that of Google, as a corpus and as a sentence."""
    explained = explain(case.predictions[0], case.references[0], family="bleu", **case.options)
    found: Any = explained.bleu
    if case.options.get("profile") == "coco":
        first, *_ = scores = [*found.scores.values()]
        return [first, *([score] for score in scores)]
    return [found.score, getattr(found, "sentence_score", found.score)]


def both_of_scorer(case: Case) -> Any:
    scores: dict[str, Any] = fill(make_scorer(case), case).result(sentence_bleu=True)
    return [next(iter(scores.values())), *scores["sentence_bleu"]]


def explain_rouge(case: Case) -> Any:
    """Explain one sample: its ROUGE, as ``metric.compute`` gives detailed scores of samples."""
    found = explain(case.predictions[0], case.references[0], family="rouge", **case.options)
    return {
        name: {part: [getattr(score, part)] for part in ("precision", "recall", "fmeasure")}
        for name, score in found.rouge.items()
    }


class Group(NamedTuple):
    """Ways that give what the first of them gives."""

    ways: tuple[Way, ...]
    # Regular expressions of errors of ways that refuse more than the first one.
    own_refusals: tuple[str, ...] = ()
    # Likewise, but only of what the first one refuses too.
    own_words: tuple[str, ...] = ()


# Ways that take all options, for one family or both.
WHOLE: Final = Group(
    (
        *(compute, compute_added, score, score_in_python, score_pieces, score_tables),
        score_signature,
    ),
    own_refusals=(r"Column '(prediction|reference)' cannot be read by Arrow; .* surrogates not ",),
)

_SETS: Final = r"weights has 2 sets; expected one, because (a pair has|explain explains) one BLEU"
_NO_IDS: Final = r"predictions is a sequence of token ids, but explain is for texts; "

_CORPUS: Final = (score, compute, call_bleu_score)
_DETAIL: Final = (detail_of_scorer, call_rouge_scores)
_PAIRS: Final = (score_pairs, score_pairs_in_python, score_batch, score_columns, score_pool)
_TEXTS: Final = r"(tokenizer is 'ids', but )?(texts|others)\b"

# Ways whose errors count from the start of a part of the samples.
IN_PARTS: Final = (score_pieces, score_tables, score_pairs, score_pairs_in_python)

# Ways that take the options of one family that change scores.
GROUPS: Final[dict[Family, tuple[Group, ...]]] = {
    "bleu": (
        Group(_CORPUS),
        Group(tuple(map(one_by_one, _CORPUS))),
        Group((sentences_of_scorer, *_PAIRS), (_SETS,), (_TEXTS,)),
        Group(tuple(map(one_by_one, (both_of_scorer, explain_bleu))), (_SETS, _NO_IDS)),
    ),
    "rouge": (
        Group(_DETAIL),
        Group(tuple(map(one_by_one, (*_DETAIL, explain_rouge))), (_NO_IDS,)),
        Group((fmeasures_of_scorer, *_PAIRS), own_words=(_TEXTS,)),
    ),
}


def keep_family(case: Case, family: Family) -> Case:
    """Return the case with the options of one family that change its scores."""
    options = {
        name: value
        for name, value in case.options.items()
        if OPTIONS[name].is_of([family]) and OPTIONS[name].effect in ("counts", "scores")
    }
    return case._replace(options=options, family=family)
