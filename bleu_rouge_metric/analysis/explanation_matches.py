"""Match the tokens of a prediction and its references as BLEU and each ROUGE type do.

All functions take the found tokens of the prediction and, behind it, of each reference.
"""

from collections.abc import Iterator, Sequence

from ..counting.rouge_types import parse_rouge_type, skip_distance_of
from ..families.rouge.counting import RougeCounting
from ..text.alignment import Token
from .explanation_lcs import Lcs, UnionLcs, find_lcs, find_union
from .explanation_ngrams import Matches, find_ngrams, find_skip_bigrams, match_occurrences
from .explanation_tokens import FoundTokens, name_text

Forms = list[str]


def _forms(tokens: Sequence[Token]) -> Forms:
    return [token.form for token in tokens]


def match_bleu(texts: Sequence[FoundTokens], max_order: int) -> tuple[Matches, ...]:
    """Match the n-grams of each order with those of all references together."""
    prediction, *references = [_forms(text.tokens) for text in texts]
    return tuple(
        match_occurrences(
            "n-grams",
            order,
            find_ngrams(prediction, order),
            {index: find_ngrams(forms, order) for index, forms in enumerate(references)},
            together=True,
        )
        for order in range(1, max_order + 1)
    )


def match_gleu(texts: Sequence[FoundTokens], max_order: int) -> tuple[Matches, ...]:
    """Match the n-grams of each order with those of one reference after the other."""
    prediction, *references = [_forms(text.tokens) for text in texts]
    return tuple(
        _match_ngrams(prediction, forms, index, order)
        for index, forms in enumerate(references)
        for order in range(1, max_order + 1)
    )


def _match_ngrams(prediction: Forms, reference: Forms, index: int, order: int) -> Matches:
    ngrams = find_ngrams(prediction, order)
    return match_occurrences("n-grams", order, ngrams, {index: find_ngrams(reference, order)})


def match_rouge(name: str, texts: Sequence[FoundTokens], plan: RougeCounting) -> Iterator[Matches]:
    """Iterate over the matches of a type that counts n-grams or skip-bigrams."""
    item = parse_rouge_type(name)
    forms = [_forms(text.tokens) for text in texts]
    for index, reference in enumerate(forms[1:]):
        if item.kind == "n":
            yield _match_ngrams(forms[0], reference, index, item.order)
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
            yield _match_ngrams(forms[0][:stop], reference[:stop], index, 1)


def list_lcs(
    name: str, texts: Sequence[FoundTokens], plan: RougeCounting
) -> Iterator[Lcs | UnionLcs]:
    """Iterate over the LCS of a type with each reference."""
    item = parse_rouge_type(name)
    weight = item.weight if item.kind == "w" else None
    prediction = _forms(texts[0].tokens)
    sentences = [_forms(sentence) for sentence in texts[0].sentences]
    for index, text in enumerate(texts[1:]):
        reference = _forms(text.tokens)
        if item.kind == "l" or (item.kind == "w" and plan.lin2004):
            yield find_lcs(prediction, reference, index, weight)
        elif item.kind in ("lsum", "w"):
            others = [_forms(sentence) for sentence in text.sentences]
            clips = [[form for sentence in sentences for form in sentence]]
            if plan.byte_limit is not None:
                # Parity: the tokens of both cut whole texts clip (counting/byte_limit.py).
                clips = [prediction, reference]
            if plan.lin2004:
                clips = []
            yield UnionLcs(index, tuple(find_union(sentences, others, clips, weight)))
