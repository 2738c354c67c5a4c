"""The law of explanations: what they count, score and mark is what both kernels and results say."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, combinations, pairwise, product
from operator import add
from typing import Any

import pytest
from hypothesis import example, given, reject
from hypothesis import strategies as st

from bleu_rouge_metric import Explanation, Options, explain, use_kernel
from bleu_rouge_metric.analysis.explain import split_text
from bleu_rouge_metric.counting.kernels import KernelName
from bleu_rouge_metric.counting.rouge_types import parse_rouge_type
from bleu_rouge_metric.families.bleu.counts import read_bleu
from bleu_rouge_metric.families.coco_bleu import CocoBleuExplanation
from bleu_rouge_metric.families.counts import SampleCounts
from bleu_rouge_metric.families.gleu import GleuExplanation
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.families.rouge.counts import read_rouge
from bleu_rouge_metric.families.rouge_package.family import RougePackage
from bleu_rouge_metric.families.rouge_package.types import NAMES
from bleu_rouge_metric.matching.lcs import Lcs, UnionLcs
from bleu_rouge_metric.matching.ngrams import Match, Matches, Unmatched
from bleu_rouge_metric.options.plans import Plan
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.samples.inputs import check_pair
from bleu_rouge_metric.scoring.counting import count_samples
from bleu_rouge_metric.text.align import Token

from ..conftest import needs_native, unfit_texts
from ..laws.cases import VALUES
from ..support.commands import ONE_REFERENCE
from ..support.strategies import any_texts, examples, spaced_texts

pytestmark = [
    *unfit_texts,
    pytest.mark.filterwarnings("ignore:.*(has no effect|stop_words):UserWarning"),
]

KERNELS = ["python", pytest.param("native", marks=needs_native)]

TYPES = [
    *("rouge1", "rouge2", "rouge4", "rougeL", "rougeLsum", "rougeW-1.2", "rougeW-2"),
    *("rougeS*", "rougeS0", "rougeS3", "rougeSU4", "rougeSU*"),
]

# Options of which each example has some; a profile takes those that it has.
CHOSEN = [
    *("tokenizer", "bleu_tokenizer", "rouge_tokenizer", "use_stemmer", "stop_words", "word_limit"),
    *("byte_limit", "sentence_splitter", "exclusive", "lowercase", "max_order", "min_order"),
    *("weights", "smooth", "reference_length", "effective_order", "auto_reweigh", "beta"),
    "multi_reference",
]
CHOICES: list[dict[str, Any]] = [
    {name: value}
    for name in CHOSEN
    for value in VALUES[name]
    if value not in ("ids", ((1.0,), (0.5, 0.5)))
]

lines = st.lists(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), max_size=5
).map("\n".join)
texts = any_texts | spaced_texts | lines


def choose_options(profile: str, choices: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the options that a profile has."""
    families = PROFILES[profile].families
    options = {name: value for choice in choices for name, value in choice.items()}
    if "word_limit" in options:
        options.pop("byte_limit", None)
    if "rouge" in families:
        options["rouge_types"] = TYPES
    for name in PROFILES[profile].calculates:
        options = dict(FAMILIES[name].narrow(options))
    relevant = {name for name in options if is_relevant(name, profile, families)}
    return {"profile": profile, **{name: options[name] for name in options if name in relevant}}


@pytest.mark.parametrize("kernel", KERNELS)
@examples(3)
# Short lines with much in common, several of which are within a limit.
@example("a b\nc d e", ["a b\nc d e"], "rouge-1.5.5", [{"byte_limit": 5}])
@example("a b\nc d\na", ["a b\nc a"], "rouge-1.5.5", [{"byte_limit": 4}])
@example("a b\nb a\nc", ["b a\na b", "c\na b a"], "lin2004", [{"word_limit": 3}])
@example("a b\nb a\nc", ["b a\na b", "c\na b a"], "hf", [{"byte_limit": 6}])
@given(
    texts,
    st.lists(texts, min_size=1, max_size=3),
    st.sampled_from(list(PROFILES)),
    st.lists(st.sampled_from(CHOICES), max_size=3),
)
def test_an_explanation_is_true(
    kernel: KernelName,
    prediction: str,
    references: list[str],
    profile: str,
    choices: list[dict[str, Any]],
) -> None:
    if profile in ONE_REFERENCE:
        references = references[:1]
    options = choose_options(profile, choices)
    try:
        Options.from_keywords(options).plan()
    except (TypeError, ValueError):
        reject()
    explanation = check_counts(kernel, prediction, references, options)
    check_scores(explanation, options)
    check_marks(explanation, prediction, references)


def check_counts(
    kernel: KernelName, prediction: str, references: list[str], options: dict[str, Any]
) -> Explanation:
    """Check every count of an explanation against those of a kernel."""
    with use_kernel(kernel):
        explanation = explain(prediction, references, **options)
        plan = Options.from_keywords(options).plan()
        counts = count_samples(check_pair(prediction, references), plan)
    for family, score in plan.scores.items():
        if family == "google_bleu":
            found = explanation.matches[family]
            orders = range(1, len(found) // len(references) + 1)
            places = [(item.reference, item.order) for item in found]
            assert places == [*product(range(len(references)), orders)]
            rows = [[item.hits, item.total, *item.reference_totals] for item in found]
            assert rows == counts["overlap"].reshape(-1, 3).tolist()
            for item, (at, _) in zip(found, places, strict=True):
                theirs = {at or 0: explanation.references[at or 0].bleu_tokens}
                check_matches(item, explanation.prediction.bleu_tokens, theirs)
        elif score.group == "bleu":
            check_bleu(explanation, counts)
        else:
            for name, counted, index, numbers in list_numbers(family, plan, counts):
                sums = sum_up(explanation, name, counted, index, score)
                if getattr(score, "lin2004", False) and counted.startswith("rougeW"):
                    # The kernel adds the differences of f along a run, which rounds differently.
                    assert sums == pytest.approx(numbers, rel=1e-12), name
                else:
                    assert sums == numbers, name
    return explanation


def list_numbers(
    family: str, plan: Plan, counts: SampleCounts
) -> Iterator[tuple[str, str, int, list[float]]]:
    """Iterate over names, types, references, and the integers of the kernel."""
    score: Any = plan.scores[family]
    if family == "rouge_package":
        for counted, numbers in zip(score.types, counts[family][0].tolist(), strict=True):
            yield NAMES[counted], counted, 0, numbers
        return
    rouge = read_rouge(counts, score.counted)
    for name, counted in score.types.items():
        for index, numbers in enumerate(rouge.of(counted).tolist()):
            yield name, counted, index, numbers


def check_bleu(explanation: Explanation, counts: SampleCounts) -> None:
    """Check the matches of BLEU and what the product says of them."""
    (hits,), (length,), lengths = (array.tolist() for array in read_bleu(counts))
    tokens = explanation.prediction.bleu_tokens
    references = {at: text.bleu_tokens for at, text in enumerate(explanation.references)}
    assert (len(tokens), [*map(len, references.values())]) == (length, lengths)
    # Of coco, the score of the highest order.
    name = next(name for name in explanation.matches if name.lower().startswith("bleu"))
    found = explanation.matches[name]
    assert [item.hits for item in found] == hits
    for item in found:
        check_matches(item, tokens, references)
    assert not isinstance(explanation.bleu, GleuExplanation | None)
    for item, factor in zip(found, explanation.bleu.orders, strict=False):
        assert (factor.order, factor.matches, factor.total) == (item.order, item.hits, item.total)


def find_grams(tokens: Sequence[Token], item: Matches, gap: str) -> dict[tuple[str, ...], Any]:
    """Return the places of each n-gram of an order, or of each skip-bigram of a gap."""
    most = len(tokens) if gap == "*" else int(gap) + 1
    places: Iterable[tuple[int, ...]] = combinations(range(len(tokens)), 2)
    if item.kind == "skip-bigrams":
        places = (pair for pair in places if pair[1] - pair[0] <= most)
    else:
        starts = range(len(tokens) - item.order + 1)
        places = (tuple(range(start, start + item.order)) for start in starts)
    found: dict[tuple[str, ...], Any] = {}
    for place in places:
        gram = tuple(tokens[at].form for at in place)
        found[gram] = (*found.get(gram, ()), place)
    return found


def check_matches(
    item: Matches,
    prediction: Sequence[Token],
    references: Mapping[int, Sequence[Token]],
    gap: str = "*",
    *,
    once: bool = False,
) -> None:
    """Check all n-grams; ``once``: each counts once."""
    ours = find_grams(prediction, item, gap)
    theirs = {at: find_grams(tokens, item, gap) for at, tokens in references.items()}
    matched, novel = list[Match](), list[Unmatched]()
    for gram, here in ours.items():
        # Of the references, the first one that has it most often.
        at = max(theirs, key=lambda at: len(theirs[at].get(gram, ())))
        there = theirs[at].get(gram, ())
        hits = min(len(here), len(there), 1 if once else len(here))
        if hits:
            places = here[:hits], here[hits:], there[:hits], there[hits:]
            matched.append(Match(gram, at, *places))
        else:
            novel.append(Unmatched(gram, None, here))
    assert (item.matched, item.novel) == (tuple(matched), tuple(novel))
    assert item.missed == tuple(
        Unmatched(gram, at, there)
        for at, grams in theirs.items()
        for gram, there in grams.items()
        if gram not in ours
    )
    totals = [len(grams) if once else sum(map(len, grams.values())) for grams in theirs.values()]
    assert item.hits == sum(len(match.counted) for match in matched)
    assert item.total == (len(ours) if once else sum(map(len, ours.values())))
    assert item.reference_totals == tuple(totals)


def sum_up(
    explanation: Explanation, name: str, counted: str, index: int, score: Any
) -> list[float]:
    """Return the three numbers of a type with one reference, from what is explained."""
    here, there = explanation.prediction, explanation.references[index]
    # Every n-gram, or every word of a union LCS, counts once.
    once = getattr(score, "exclusive", False)
    if name in explanation.matches:
        found = [item for item in explanation.matches[name] if item.reference == index]
        for item in found:
            # Parity: ROUGE-1.5.5 does not count the unigram of the last token.
            is_cut = "SU" in counted and item.kind == "n-grams" and not score.lin2004
            ours, theirs = (text.tokens[: -1 if is_cut else None] for text in (here, there))
            check_matches(item, ours, {index: theirs}, counted.strip("rougeSU"), once=once)
        sums = ([item.hits, item.total, *item.reference_totals] for item in found)
        return [float(sum(column)) for column in zip(*sums, strict=True)]
    lcs = explanation.lcs[name][index]
    assert lcs.reference == index
    is_weighted = counted.startswith("rougeW")
    if isinstance(lcs, Lcs):
        check_pairs(lcs.pairs, here.tokens, there.tokens)
        assert bool(lcs.runs) == (is_weighted and bool(lcs.pairs))
        hits = sum(run.value for run in lcs.runs) if is_weighted else len(lcs.pairs)
        return [hits, len(here.tokens), len(there.tokens)]
    check_union(explanation, lcs)
    counts = sum(len(sentence.counted) for sentence in lcs.sentences)
    if isinstance(score, RougePackage):
        forms = [[token.form for token in text.tokens] for text in (here, there)]
        if once:
            return [counts, *(len(set(each)) for each in forms)]
        pairs = sum(len(pair.pairs) for sentence in lcs.sentences for pair in sentence.lcs)
        return [pairs, *map(len, forms)]
    total = len(here.tokens) if score.byte_limit else sum(map(len, here.sentences))
    if not is_weighted:
        return [counts, total, sum(map(len, there.sentences))]
    weight = parse_rouge_type(counted).weight
    assert weight is not None
    values = (run.value for sentence in lcs.sentences for run in sentence.runs)
    lengths = (float(len(tokens)) ** weight for tokens in there.sentences)
    # As the kernel adds; ``sum`` is more exact since Python 3.12.
    return [reduce(add, values, 0.0), total, reduce(add, lengths, 0.0)]


def check_union(explanation: Explanation, lcs: UnionLcs) -> None:
    ours, theirs = explanation.prediction.sentences, explanation.references[lcs.reference].sentences
    assert len(lcs.sentences) == len(theirs)
    for sentence in lcs.sentences:
        for pairs in sentence.lcs:
            check_pairs(pairs.pairs, ours[pairs.sentence], theirs[sentence.sentence])
        union = {position for pairs in sentence.lcs for _, position in pairs.pairs}
        assert union == {*sentence.counted, *sentence.clipped}
        assert not {*sentence.counted} & {*sentence.clipped}
        assert {at for run in sentence.runs for at in run.positions} <= {*sentence.counted}


def check_pairs(
    pairs: Sequence[tuple[int, int]], prediction: Sequence[Token], reference: Sequence[Token]
) -> None:
    """Check that pairs ascend on both sides, and are of equal tokens."""
    for column in zip(*pairs, strict=True):
        assert list(column) == sorted(set(column))
    for here, there in pairs:
        assert prediction[here].form == reference[there].form


def check_scores(explanation: Explanation, options: dict[str, Any]) -> None:
    """Check that factors and references give the score; tests/laws compares it with others."""
    bleu = explanation.bleu
    if isinstance(bleu, GleuExplanation):
        assert bleu.score == (bleu.matches / bleu.total if bleu.total else 0)
    elif isinstance(bleu, CocoBleuExplanation):
        if bleu.brevity_penalty:
            logarithm = sum(order.contribution or 0 for order in bleu.orders)
            product = bleu.brevity_penalty * math.exp(logarithm)
            assert product == pytest.approx(bleu.score, rel=1e-9)
    elif bleu is not None:
        assert (bleu.logarithm is None) == (bleu.score == 0)
        if bleu.logarithm is not None:
            # A sum of logarithms rounds differently from the formula of the score.
            scale = 100 if PROFILES[options["profile"]].percentages else 1
            assert scale * math.exp(bleu.logarithm) == pytest.approx(bleu.score, rel=1e-9)
    for rouge in explanation.rouge.values():
        if rouge.reference is not None:
            chosen = rouge.references[rouge.reference]
            for part in ("precision", "recall", "fmeasure"):
                assert getattr(chosen, part) == getattr(rouge, part)


def check_marks(explanation: Explanation, prediction: str, references: Sequence[str]) -> None:
    """Check that tokens are where they say, and that marks do not overlap."""
    explained = [explanation.prediction, *explanation.references]
    places: list[str | int] = ["prediction", *range(len(references))]
    for place, text, part in zip(places, (prediction, *references), explained, strict=True):
        assert part.text == text
        for token in chain(part.tokens, part.bleu_tokens, *part.sentences):
            assert text[token.start : token.end] == token.text
        for tokens in (part.tokens, part.bleu_tokens, *part.sentences):
            assert all(one.start <= two.start for one, two in pairwise(tokens))
        for view in (*explanation.matches, *explanation.lcs):
            spans = explanation.spans(place, view)
            assert all(0 <= span.start < span.end <= len(text) for span in spans)
            assert all(one.end <= two.start for one, two in pairwise(spans))
            assert "".join(piece for piece, _ in split_text(text, spans)) == text
    str(explanation).encode()
    explanation.to_html().encode()
