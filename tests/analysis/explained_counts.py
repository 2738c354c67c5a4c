"""Check what an explanation counts against the integers of a kernel."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from bleu_rouge_metric import Explanation
from bleu_rouge_metric.families.bleu.counting import read_bleu
from bleu_rouge_metric.families.bleu.explanation import BleuExplanation
from bleu_rouge_metric.families.coco_bleu import CocoBleuExplanation
from bleu_rouge_metric.families.counts import SampleCounts
from bleu_rouge_metric.families.gleu import GleuExplanation
from bleu_rouge_metric.families.pltrdy.types import NAMES
from bleu_rouge_metric.families.rouge.counting import RougeCounting
from bleu_rouge_metric.matching.lcs import Lcs, UnionLcs
from bleu_rouge_metric.matching.ngrams import Matches, Positions
from bleu_rouge_metric.text.alignment import Token


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
