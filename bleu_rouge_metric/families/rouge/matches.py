"""Match the tokens of a prediction and its references as each ROUGE type does.

All functions take the found tokens of the prediction and, behind it, of each reference.
"""

from collections.abc import Iterator, Sequence

from ...counting.rouge_types import parse_rouge_type, skip_distance_of
from ...matching.lcs import Lcs, UnionLcs, find_lcs, find_union
from ...matching.ngrams import Matches, find_skip_bigrams, match_ngrams, match_occurrences
from ...matching.texts import FoundTokens, list_forms, name_text
from .counts import TypeScore


def match_rouge(name: str, texts: Sequence[FoundTokens], plan: TypeScore) -> Iterator[Matches]:
    """Iterate over the matches of a type that counts n-grams or skip-bigrams."""
    item = parse_rouge_type(name)
    forms = [text.forms for text in texts]
    for index, reference in enumerate(forms[1:]):
        if item.kind == "n":
            yield match_ngrams(forms[0], reference, index, item.order)
        if item.kind in ("s", "su"):
            distance = skip_distance_of(item.gap)
            yield match_occurrences(
                "skip-bigrams",
                2,
                find_skip_bigrams(forms[0], distance, name_text(0)),
                {index: find_skip_bigrams(reference, distance, name_text(index + 1))},
            )
        if item.kind == "su":
            # Parity: ROUGE-1.5.5 does not count the unigram of the last token (rouge_types.py).
            stop = None if plan.lin2004 else -1
            yield match_ngrams(forms[0][:stop], reference[:stop], index, 1)


def list_lcs(name: str, texts: Sequence[FoundTokens], plan: TypeScore) -> Iterator[Lcs | UnionLcs]:
    """Iterate over the LCS of a type with each reference."""
    item = parse_rouge_type(name)
    weight = item.weight if item.kind == "w" else None
    prediction = texts[0].forms
    sentences = [list_forms(sentence) for sentence in texts[0].sentences]
    for index, text in enumerate(texts[1:]):
        reference = text.forms
        if item.kind == "l" or (item.kind == "w" and plan.lin2004):
            yield find_lcs(prediction, reference, index, weight)
        elif item.kind in ("lsum", "w"):
            others = [list_forms(sentence) for sentence in text.sentences]
            clips = [[form for sentence in sentences for form in sentence]]
            if plan.byte_limit is not None:
                # Parity: the tokens of both cut whole texts clip (counting/byte_limit.py).
                clips = [prediction, reference]
            if plan.lin2004:
                clips = []
            yield UnionLcs(index, tuple(find_union(sentences, others, clips, weight)))
