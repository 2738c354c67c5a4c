"""The law of explanations: what they count sums to the integers of both kernels."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_rouge_metric import Explanation, Options, Scorer, explain, use_kernel
from bleu_rouge_metric.counting.kernels import KernelName
from bleu_rouge_metric.families.bleu.counting import read_bleu
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.coco_bleu.explanation import CocoBleuExplanation
from bleu_rouge_metric.families.counts import SampleCounts
from bleu_rouge_metric.families.gleu.explanation import GleuExplanation
from bleu_rouge_metric.families.pltrdy.scoring import PltrdyScoring
from bleu_rouge_metric.families.pltrdy.types import NAMES
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.families.rouge.counting import RougeCounting, read_rouge
from bleu_rouge_metric.families.rouge.parts import PartScoring
from bleu_rouge_metric.matching.lcs import Lcs, UnionLcs
from bleu_rouge_metric.matching.ngrams import Matches, Positions
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant
from bleu_rouge_metric.samples.inputs import check_pair
from bleu_rouge_metric.scoring.counting import count_samples
from bleu_rouge_metric.text.alignment import Token

from ..conftest import needs_native, unfit_texts
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
CHOICES: list[dict[str, Any]] = [
    {},
    {"tokenizer": "13a"},
    {"tokenizer": "intl"},
    {"tokenizer": "nltk"},
    {"tokenizer": "mteval-v11a"},
    {"rouge_tokenizer": "xlsum"},
    {"rouge_tokenizer": "xlsum", "use_stemmer": True, "stop_words": ["the", "of"]},
    {"rouge_tokenizer": "xlsum-burmese", "use_stemmer": "hindi"},
    {"tokenizer": "zh"},
    {"tokenizer": "unicode"},
    {"tokenizer": "grapheme"},
    {"tokenizer": "char"},
    {"tokenizer": str.split},
    {"rouge_tokenizer": "rouge-1.5.5", "bleu_tokenizer": "whitespace"},
    {"use_stemmer": True},
    {"use_stemmer": "english", "rouge_tokenizer": "unicode"},
    {"stop_words": ["the", "of", "a"]},
    {"stop_words": ["the", "of", "a"], "use_stemmer": True, "word_limit": 6},
    {"word_limit": 1},
    {"byte_limit": 12},
    {"sentence_splitter": lambda text: text.split(".")},
    {"exclusive": False},
    {"lowercase": True, "max_order": 6},
    {"smooth": "exp", "effective_order": True},
    {"smooth": "floor", "reference_length": "longest"},
    {"smooth": "method5", "reference_length": "average"},
    {"smooth": "method7-corrected"},
    {"smooth": True, "weights": (0.5, 0.25, 0.25)},
    {"auto_reweigh": True},
    {"beta": 2},
    {"min_order": 2},
    *({"multi_reference": name} for name in ("best_recall", "micro", "mean", "jackknife")),
]

# Short lines with much in common, several of which are within a limit.
lines = st.lists(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), max_size=5
).map("\n".join)
texts = any_texts | spaced_texts | lines

# A prediction with its references, under a profile and some of the choices.
given_pairs = given(
    texts,
    st.lists(texts, min_size=1, max_size=3),
    st.sampled_from(list(PROFILES)),
    st.lists(st.sampled_from(CHOICES), max_size=2),
)


def keep_references(profile: str, references: list[str]) -> list[str]:
    """Return as many references as a profile can compare with."""
    return references[:1] if profile in ONE_REFERENCE else references


def relevant(profile: str, choices: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the options that a profile has."""
    families = PROFILES[profile].families
    options = {name: value for choice in choices for name, value in choice.items()}
    if "word_limit" in options:
        options.pop("byte_limit", None)
    if "rouge" in families:
        options["rouge_types"] = TYPES
    for name in PROFILES[profile].calculates:
        options = dict(FAMILIES[name].narrow(options))
    return {
        "profile": profile,
        **{name: value for name, value in options.items() if is_relevant(name, profile, families)},
    }


@pytest.mark.parametrize("kernel", KERNELS)
@examples(3)
@given_pairs
def test_what_an_explanation_counts_sums_to_the_integers_of_the_kernel(
    kernel: KernelName,
    prediction: str,
    references: list[str],
    profile: str,
    choices: list[dict[str, Any]],
) -> None:
    references = keep_references(profile, references)
    check_law(kernel, prediction, references, relevant(profile, choices))


@pytest.mark.parametrize("kernel", KERNELS)
@examples(2)
@example("a b\nc d e", ["a b\nc d e"], "rouge-1.5.5", {"byte_limit": 5})
@example("a b\nc d\na", ["a b\nc a"], "rouge-1.5.5", {"byte_limit": 4})
@given(
    lines,
    st.lists(lines, min_size=1, max_size=2),
    st.sampled_from(["hf", "rouge-1.5.5", "lin2004"]),
    st.builds(
        lambda name, most: {name: most},
        st.sampled_from(["byte_limit", "word_limit"]),
        st.integers(1, 12),
    ),
)
def test_what_a_limit_leaves_sums_to_the_integers_of_the_kernel(
    kernel: KernelName,
    prediction: str,
    references: list[str],
    profile: str,
    limit: dict[str, int],
) -> None:
    check_law(kernel, prediction, references, relevant(profile, [limit]))


def check_law(
    kernel: KernelName, prediction: str, references: list[str], options: dict[str, Any]
) -> None:
    """Check every count of an explanation against those of a kernel."""
    with use_kernel(kernel):
        explanation = explain(prediction, references, **options)
        plan = Options.from_keywords(options).plan()
        counts = count_samples(check_pair(prediction, references), plan.counting)
    check_texts(explanation, prediction, references)
    if not {"bleu", "coco_bleu", "codexglue"}.isdisjoint(plan.counting.parts):
        check_bleu(explanation, counts)
    if "coco_rouge" in plan.counting.parts:
        check_coco_rouge(explanation, counts)
    if "google_bleu" in plan.counting.parts:
        check_gleu(explanation, counts)
    if "pltrdy" in plan.counting.parts:
        check_pltrdy(explanation, counts, plan.counting.parts["pltrdy"])
    if "rouge" not in plan.counting.parts:
        return
    counting: Any = plan.counting.parts["rouge"]
    scoring: Any = plan.scoring.parts["rouge"]
    rouge = read_rouge(counts, counting.types)
    for name, counted in scoring.types.items():
        for index, numbers in enumerate(rouge.of(counted).tolist()):
            found = count_type(explanation, name, counted, index, counting)
            if counting.lin2004 and counted.startswith("rougeW"):
                # The kernel adds the differences of f along a run, which rounds differently.
                assert found == pytest.approx(numbers, rel=1e-12), name
            else:
                assert found == numbers, name


def check_texts(explanation: Explanation, prediction: str, references: Sequence[str]) -> None:
    """Check that offsets cut out the tokens."""
    explained = (explanation.prediction, *explanation.references)
    for text, part in zip((prediction, *references), explained, strict=True):
        assert part.text == text
        for token in chain(part.tokens, part.bleu_tokens, *part.sentences):
            assert text[token.start : token.end] == token.text
        for tokens in (part.tokens, part.bleu_tokens, *part.sentences):
            starts = [token.start for token in tokens]
            assert starts == sorted(starts)


def check_bleu(explanation: Explanation, counts: SampleCounts) -> None:
    """Check the matches of BLEU and what the product says of them."""
    matches, lengths, reference_lengths = (array.tolist() for array in read_bleu(counts))
    tokens = explanation.prediction.bleu_tokens
    references = [text.bleu_tokens for text in explanation.references]
    assert [len(tokens)] == lengths
    assert list(map(len, references)) == reference_lengths
    # Of coco, the score of the highest order.
    name = next(name for name in explanation.matches if name.lower().startswith("bleu"))
    found = explanation.matches[name]
    assert [[order.hits for order in found]] == matches
    for order in found:
        assert order.total == max(0, lengths[0] - order.order + 1)
        check_matches(order, tokens, dict(enumerate(references)))
    assert isinstance(explanation.bleu, BleuExplanation | CocoBleuExplanation)
    for order, factor in zip(found, explanation.bleu.orders, strict=False):
        assert (factor.order, factor.matches, factor.total) == (
            order.order,
            order.hits,
            order.total,
        )


def check_coco_rouge(explanation: Explanation, counts: SampleCounts) -> None:
    """Check the LCS of captions."""
    here = explanation.prediction.tokens
    found = [
        (len(lcs.pairs), len(here), len(text.tokens))
        for lcs, text in zip(explanation.lcs["ROUGE_L"], explanation.references, strict=True)
        if isinstance(lcs, Lcs)
    ]
    assert found == list(map(tuple, counts["rouge"][:, 0].tolist()))
    for lcs, text in zip(explanation.lcs["ROUGE_L"], explanation.references, strict=True):
        assert isinstance(lcs, Lcs)
        check_pairs(lcs.pairs, here, text.tokens)


def check_pltrdy(explanation: Explanation, counts: SampleCounts, counting: Any) -> None:
    """Check the matches of ``rouge`` and ``rouge-chinese``."""
    here, (there,) = explanation.prediction, explanation.references
    for rouge_type, numbers in zip(counting.types, counts["pltrdy"][0].tolist(), strict=True):
        name = NAMES[rouge_type]
        if name in explanation.matches:
            (found,) = explanation.matches[name]
            assert [found.hits, found.total, *found.reference_totals] == numbers
            if counting.exclusive:
                check_distinct(found, here.tokens, there.tokens)
            else:
                check_matches(found, here.tokens, {0: there.tokens})
            continue
        (lcs,) = explanation.lcs[name]
        totals = [[token.form for token in text.tokens] for text in (here, there)]
        if isinstance(lcs, Lcs):
            check_pairs(lcs.pairs, here.tokens, there.tokens)
            assert [len(lcs.pairs), *map(len, totals)] == numbers
            continue
        for sentence in lcs.sentences:
            for pair in sentence.lcs:
                words = here.sentences[pair.sentence], there.sentences[sentence.sentence]
                check_pairs(pair.pairs, *words)
        if counting.exclusive:
            hits = sum(len(sentence.counted) for sentence in lcs.sentences)
            assert [hits, *(len(set(forms)) for forms in totals)] == numbers
        else:
            hits = sum(len(pair.pairs) for sentence in lcs.sentences for pair in sentence.lcs)
            assert [hits, *map(len, totals)] == numbers


def check_distinct(matches: Matches, here: Sequence[Token], there: Sequence[Token]) -> None:
    """Check that each n-gram counts once on both sides, and that all its places have its tokens."""
    for match in matches.matched:
        assert len(match.counted) == len(match.reference_counted) == 1
        for tokens, places in (
            (here, (*match.counted, *match.clipped)),
            (there, (*match.reference_counted, *match.reference_clipped)),
        ):
            for place in places:
                assert tuple(tokens[at].form for at in place) == match.forms


def check_gleu(explanation: Explanation, counts: SampleCounts) -> None:
    """Check the matches of google_bleu."""
    found = [
        (order.reference, order.order, order.hits, order.total, *order.reference_totals)
        for order in explanation.matches["google_bleu"]
    ]
    assert found == [
        (index, order, *numbers)
        for index, orders in enumerate(counts["overlap"].tolist())
        for order, numbers in enumerate(orders, 1)
    ]
    assert isinstance(explanation.bleu, GleuExplanation)


def check_matches(
    matches: Matches, prediction: Sequence[Token], references: Mapping[int, Sequence[Token]]
) -> None:
    """Check that each occurrence is listed once, and where its forms are."""
    here = list[tuple[tuple[str, ...], Positions]]()
    there = list[tuple[int, tuple[str, ...], Positions]]()
    for match in matches.matched:
        assert match.counted
        assert len(match.counted) == len(match.reference_counted)
        assert not (match.clipped and match.reference_clipped)
        here += [(match.forms, places) for places in match.counted + match.clipped]
        reference = match.reference_counted + match.reference_clipped
        for places in reference:
            tokens = references[match.reference]
            assert tuple(tokens[place].form for place in places) == match.forms
        # Of the references, the first one that has it most often.
        most = [count(tokens, match.forms) for tokens in references.values()]
        assert list(references)[most.index(max(most))] == match.reference
        assert len(reference) == max(most)
    for unmatched in matches.novel:
        here += [(unmatched.forms, places) for places in unmatched.positions]
        assert not any(count(tokens, unmatched.forms) for tokens in references.values())
    for forms, places in here:
        assert tuple(prediction[place].form for place in places) == forms
    assert len(set(here)) == len(here) == matches.total
    for unmatched in matches.missed:
        assert unmatched.reference is not None
        assert not count(prediction, unmatched.forms)
        tokens = references[unmatched.reference]
        assert len(unmatched.positions) == count(tokens, unmatched.forms)
        there += [(unmatched.reference, unmatched.forms, places) for places in unmatched.positions]
    assert len(set(there)) == len(there)
    if len(references) == 1:
        matched = sum(
            len(match.reference_counted + match.reference_clipped) for match in matches.matched
        )
        assert (matched + len(there),) == matches.reference_totals


def count(tokens: Sequence[Token], forms: tuple[str, ...]) -> int:
    """Count an n-gram in a text."""
    listed = [token.form for token in tokens]
    order = len(forms)
    return sum(tuple(listed[i : i + order]) == forms for i in range(len(listed) - order + 1))


def count_type(
    explanation: Explanation, name: str, counted: str, index: int, plan: RougeCounting
) -> list[float]:
    """Return the three numbers of a type with one reference, from what is explained."""
    prediction, reference = explanation.prediction, explanation.references[index]
    if name in explanation.matches:
        found = [item for item in explanation.matches[name] if item.reference == index]
        for item in found:
            # Unigrams of rougeSU may leave out the last token, and skip-bigrams are no n-grams.
            if "S" not in name:
                check_matches(item, prediction.tokens, {index: reference.tokens})
        assert all(item.hits == sum(len(match.counted) for match in item.matched) for item in found)
        return [
            sum(item.hits for item in found),
            sum(item.total for item in found),
            sum(sum(item.reference_totals) for item in found),
        ]
    lcs = explanation.lcs[name][index]
    assert lcs.reference == index
    if isinstance(lcs, Lcs):
        check_pairs(lcs.pairs, prediction.tokens, reference.tokens)
        is_weighted = counted.startswith("rougeW")
        assert bool(lcs.runs) == (is_weighted and bool(lcs.pairs))
        hits = sum(run.value for run in lcs.runs) if is_weighted else len(lcs.pairs)
        return [hits, len(prediction.tokens), len(reference.tokens)]
    return count_union(explanation, lcs, counted, index, plan)


def count_union(
    explanation: Explanation, lcs: UnionLcs, counted: str, index: int, plan: RougeCounting
) -> list[float]:
    """Return the three numbers of a union LCS."""
    here, there = explanation.prediction, explanation.references[index]
    ours, theirs = here.sentences, there.sentences
    is_weighted = counted.startswith("rougeW")
    hits = 0.0
    for sentence in lcs.sentences:
        for pairs in sentence.lcs:
            check_pairs(pairs.pairs, ours[pairs.sentence], theirs[sentence.sentence])
        union = {position for pairs in sentence.lcs for _, position in pairs.pairs}
        assert union == {*sentence.counted, *sentence.clipped}
        assert not {*sentence.counted} & {*sentence.clipped}
        for run in sentence.runs:
            hits += run.value
            assert {*run.positions} <= {*sentence.counted}
        hits += 0 if is_weighted else len(sentence.counted)
    assert len(lcs.sentences) == len(theirs)
    total = len(here.tokens) if plan.byte_limit else sum(map(len, ours))
    base: float = sum(map(len, theirs))
    if is_weighted:
        weight = float(counted.removeprefix("rougeW-"))
        base = 0.0
        for tokens in theirs:
            base += float(len(tokens)) ** weight
    return [hits, total, base]


def check_pairs(
    pairs: Sequence[tuple[int, int]], prediction: Sequence[Token], reference: Sequence[Token]
) -> None:
    """Check that pairs ascend on both sides, and are of equal tokens."""
    for column in zip(*pairs, strict=True):
        assert list(column) == sorted(set(column))
    for here, there in pairs:
        assert prediction[here].form == reference[there].form


@examples(2)
@given_pairs
def test_the_scores_are_those_of_the_sample_alone(
    prediction: str, references: list[str], profile: str, choices: list[dict[str, Any]]
) -> None:
    options = relevant(profile, choices)
    references = keep_references(profile, references)
    explanation = explain(prediction, references, **options)
    scorer = (
        Scorer(detailed=True, sentence_bleu=True, aggregator="mean", **options)
        if (len(PROFILES[profile].families) == 2)
        else Scorer(**options)
    )
    scorer.update([prediction], [references])
    result: dict[str, Any] = scorer.result()
    bleu = explanation.bleu
    if isinstance(bleu, GleuExplanation):
        assert bleu.score == result["google_bleu"]
        assert bleu.score == (bleu.matches / bleu.total if bleu.total else 0)
    elif isinstance(bleu, CocoBleuExplanation):
        assert bleu.scores == {name: result[name] for name in bleu.scores}
        assert [[score] for score in bleu.scores.values()] == result["sentence_bleu"]
        weighed = math.log(bleu.brevity_penalty or 1) + sum(
            order.contribution or 0 for order in bleu.orders
        )
        if bleu.brevity_penalty:
            assert math.exp(weighed) == pytest.approx(bleu.score, rel=1e-9)
    elif bleu is not None:
        assert bleu.score == result["bleu" if "bleu" in result else "score"]
        assert [bleu.sentence_score] == result.get("sentence_bleu", [bleu.sentence_score])
        if profile != "codexglue":
            penalty = result["bp" if "bp" in result else "brevity_penalty"]
            assert bleu.brevity_penalty == penalty
        assert (bleu.logarithm is None) == (bleu.score == 0)
        if bleu.logarithm is not None:
            scale = 100 if PROFILES[profile].percentages else 1
            # A sum of logarithms rounds differently from the formula of the score.
            assert scale * math.exp(bleu.logarithm) == pytest.approx(bleu.score, rel=1e-9)
    # The mean of one sample may have fewer digits: ROUGE-1.5.5 rounds it again.
    each: dict[str, Any] = scorer.result(use_aggregator=False) if explanation.rouge else {}
    keys = PltrdyScoring.keys if profile in ONE_REFERENCE else PartScoring.keys
    for name, rouge in explanation.rouge.items():
        expected = {part: getattr(rouge, part) for part in ("precision", "recall", "fmeasure")}
        assert each[name] == {key: [expected[part]] for key, part in keys.items()}
        if rouge.reference is not None:
            chosen = rouge.references[rouge.reference]
            assert {part: getattr(chosen, part) for part in expected} == expected
