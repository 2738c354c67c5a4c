"""Explain the scores of ``rouge`` for one sample: what matches, and how often it counts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...counting.lcs import list_lcs_pairs
from ...counting.rouge_types import parse_rouge_type
from ...matching.lcs import Lcs, SentenceLcs, UnionLcs, UnionSentence, find_lcs
from ...matching.ngrams import Match, Matches, match_ngrams
from ...matching.texts import Explained, FoundTokens, list_forms
from ..parts import RougeScores
from ..rouge.explanation import RougeExplanation, RougePair, list_zeros
from .types import NAMES

if TYPE_CHECKING:
    from .family import RougePackage


def explain_types(
    plan: "RougePackage",
    texts: Sequence[FoundTokens],
    triples: Any,
    scores: Mapping[str, RougeScores],
) -> Explained:
    """Explain each score from hits and totals by type, shape (types, 3), and the scores."""
    prediction, reference = texts
    matches: dict[str, tuple[Matches, ...]] = {}
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]] = {}
    explained: dict[str, RougeExplanation] = {}
    for rouge_type, numbers in zip(plan.types, triples.tolist(), strict=True):
        name = NAMES[rouge_type]
        if rouge_type != "rougeL":
            order = parse_rouge_type(rouge_type).order
            found = match_ngrams(prediction.forms, reference.forms, 0, order)
            matches[name] = (count_once(found) if plan.exclusive else found,)
        elif plan.pairs:
            sides = ([*map(list_forms, text.sentences)] for text in texts)
            sentences = find_pairs(*sides, once=plan.exclusive)
            lcs[name] = (UnionLcs(0, tuple(sentences)),)
        else:
            lcs[name] = (find_lcs(prediction.forms, reference.forms, 0),)
        precision, recall, fmeasure = (float(part[0]) for part in scores[name])
        hits, ours, theirs = numbers
        pair = RougePair(hits, ours, theirs, precision, recall, fmeasure)
        explained[name] = RougeExplanation(precision, recall, fmeasure, "best", 0, (pair,))
    by_type = {rouge_type: explained[NAMES[rouge_type]] for rouge_type in plan.types}
    notes = list_zeros(by_type)
    for rouge_type, name in NAMES.items():
        notes = [note.replace(rouge_type, name) for note in notes]
    return Explained(matches, lcs, {"rouge": explained}, notes)


def count_once(matches: Matches) -> Matches:
    """Return matches of which each n-gram counts once, at its first place in each text."""
    matched = len(matches.matched)
    return replace(
        matches,
        hits=matched,
        total=matched + len(matches.novel),
        reference_totals=(matched + len(matches.missed),),
        matched=tuple(map(_count_first, matches.matched)),
    )


def _count_first(match: Match) -> Match:
    places = (*match.counted, *match.clipped)
    others = (*match.reference_counted, *match.reference_clipped)
    return replace(
        match,
        counted=places[:1],
        clipped=places[1:],
        reference_counted=others[:1],
        reference_clipped=others[1:],
    )


def find_pairs(
    prediction: Sequence[Sequence[str]], reference: Sequence[Sequence[str]], *, once: bool
) -> Iterator[UnionSentence]:
    """Iterate over the LCS of each sentence of a reference with those of the prediction."""
    seen: set[str] = set()
    for index, sentence in enumerate(reference):
        found = []
        for number, other in enumerate(prediction):
            # Parity: the choice of rouge 1.0.1 among several LCS; see count_pair_words.
            swapped = list_lcs_pairs(other, sentence)
            if swapped:
                found.append(SentenceLcs(number, tuple((ours, their) for their, ours in swapped)))
        union = sorted({their for lcs in found for _, their in lcs.pairs})
        counted = []
        for position in union:
            if not once or sentence[position] not in seen:
                counted.append(position)
            seen.add(sentence[position])
        clipped = tuple(sorted(set(union) - set(counted)))
        yield UnionSentence(index, tuple(found), tuple(counted), clipped, ())
