"""Explain ROUGE of one sample: tokens with their places, matches, scores, and why a type is 0."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ...counting.byte_limit import cut_sentences
from ...counting.kernels import RougeCounts
from ...counting.rouge_types import parse_rouge_type, skip_distance_of
from ...matching.lcs import Lcs, UnionLcs, find_lcs, find_union
from ...matching.ngrams import Matches, find_skip_bigrams, match_ngrams, match_occurrences
from ...matching.texts import FoundTokens, describe_missing, join_names, list_forms, name_text
from ...text.align import MappedText, Token, align_sentences, align_tokens
from ...text.sentences import SplitError
from ...text.tokenizer import Tokenizer
from .formulas import choose_references, score_pairs, score_samples, weigh_totals, weight_of
from .rules import RougeRules

if TYPE_CHECKING:
    from .counts import TypeScore

# The LCS of so many pairs of sentences, of one of the prediction with one of a reference, takes
# seconds.
MOST_SENTENCE_PAIRS: Final = 200_000


@dataclass(frozen=True)
class RougePair:
    """ROUGE of the prediction with one reference.

    Attributes:
        hits: what matches; a float for ``rougeW``.
        prediction_total: what the prediction has.
        reference_total: what the reference has.
        precision: as the formula of the profile gives it; in [0, 1].
        recall: likewise.
        fmeasure: likewise.
    """

    hits: float
    prediction_total: float
    reference_total: float
    precision: float
    recall: float
    fmeasure: float


@dataclass(frozen=True)
class RougeExplanation:
    """ROUGE of one type.

    Attributes:
        precision: of the sample, as ``metric.compute`` gives it; in [0, 1].
        recall: likewise.
        fmeasure: likewise.
        multi_reference: how several references make one score.
        reference: index of the reference that is chosen; None if the score is made of all.
        references: one for each reference.
    """

    precision: float
    recall: float
    fmeasure: float
    multi_reference: str
    reference: int | None
    references: tuple[RougePair, ...]


def explain_rouge(
    counts: RougeCounts, rules: RougeRules, types: Mapping[str, str]
) -> dict[str, RougeExplanation]:
    """Explain ROUGE of one sample, by type."""
    found: dict[str, RougeExplanation] = {}
    for name, counted in types.items():
        numbers = counts.of(counted)
        offsets = np.array([0, len(numbers)])
        weight = weight_of(counted)
        pairs = score_pairs(weigh_totals(numbers, weight), rules, weight)
        chosen = choose_references(pairs, numbers, offsets, rules, weight)
        reference = 0 if len(numbers) == 1 else None if chosen is None else int(chosen[0])
        # Of the chosen reference, or of all references.
        whole = pairs if reference is not None else score_samples(numbers, offsets, rules, counted)
        place = reference or 0
        rows = zip(numbers.tolist(), *(part.tolist() for part in pairs), strict=True)
        found[name] = RougeExplanation(
            precision=float(whole.precision[place]),
            recall=float(whole.recall[place]),
            fmeasure=float(whole.fmeasure[place]),
            multi_reference=rules.multi_reference,
            reference=reference,
            references=tuple(RougePair(*row, *parts) for row, *parts in rows),
        )
    return found


def list_zeros(scores: Mapping[str, RougeExplanation], *, keeps_words: bool = False) -> list[str]:
    """List why types are 0, one sentence for all types with the same reason."""
    # Where tokens of the whole texts do not match either, pieces of sentences need no mention.
    keeps_words = keeps_words and not any(
        parse_rouge_type(name).kind == "l" and not explained.fmeasure
        for name, explained in scores.items()
    )
    reasons: dict[str, list[str]] = {}
    for name, explained in scores.items():
        if not explained.fmeasure:
            reason = _find_reason(name, explained, keeps_words=keeps_words)
            reasons.setdefault(reason, []).append(name)
    return [
        f"{join_names(names)} {'is' if len(names) == 1 else 'are'} 0: {reason}."
        for reason, names in reasons.items()
    ]


def _find_reason(name: str, scores: RougeExplanation, *, keeps_words: bool) -> str:
    """Say why a ROUGE type is 0."""
    item = parse_rouge_type(name)
    if any(pair.hits for pair in scores.references):
        return "the five digits of the score are 0"
    total = int(max(pair.prediction_total for pair in scores.references))
    if item.kind == "n":
        return describe_missing(item.order, total)
    if item.kind == "s":
        what = "skip-bigram"
    elif item.kind == "su":
        what = "skip-bigram and no token"
    elif total and keeps_words and item.kind == "lsum":
        # Parity: multilingual-rouge 0.0.1 (text/xlsum.py).
        return (
            "this tokenizer splits a sentence only at spaces and punctuation, and no such piece of "
            "the prediction occurs in a reference"
        )
    else:
        return describe_missing(1, total)
    if not total:
        return "the prediction has fewer than two tokens"
    return f"no {what} of the prediction occurs in a reference"


def find_rouge_tokens(text: str, plan: "TypeScore") -> FoundTokens:
    """Return the tokens of a text, and those of its sentences if a type compares these."""
    mapped = MappedText.of(text)
    whole = plan.bare_tokenizer, plan.tokenizer
    kept, tokens, forms, stopped = _tokenize(text, mapped, plan, *whole)
    sentences = _split(mapped, kept, plan) if _compares_sentences(plan) else []
    single = [each.of_sentences or each for each in whole]
    tokenized = [_tokenize(text, sentence, plan, *single)[1] for sentence in sentences]
    return FoundTokens(text, tokens, forms, stopped, kept, tokenized)


def _tokenize(
    text: str,
    mapped: MappedText,
    plan: "TypeScore",
    bare_tokenizer: Tokenizer,
    tokenizer: Tokenizer,
) -> tuple[MappedText, list[Token], list[str], list[Token]]:
    """Return what a limit leaves, its tokens, these as they are compared, and its stop words."""
    truncate, stop_words = plan.truncate, plan.stop_words
    kept = mapped if truncate is None else truncate(mapped)
    tokens = align_tokens(text, kept, bare_tokenizer)
    if tokenizer is bare_tokenizer:
        # Fast path: equals the lines below without a limit, stop words and a stemmer.
        return kept, tokens, [token.form for token in tokens], []
    left = [token for token in tokens if token.form not in stop_words]
    forms = tokenizer(mapped.text)
    found = [replace(token, form=form) for token, form in zip(left, forms, strict=True)]
    return kept, found, list(forms), [token for token in tokens if token.form in stop_words]


def _split(mapped: MappedText, kept: MappedText, plan: "TypeScore") -> list[MappedText]:
    """Return the sentences of a text."""
    split, limit = plan.bare_split, plan.byte_limit
    if limit is None:
        return align_sentences(kept, split(kept.text))
    # Parity: ROUGE-1.5.5 cuts each sentence of the whole text (counting/byte_limit.py).
    sentences = split(mapped.text)
    whole = align_sentences(mapped, sentences)
    cut = cut_sentences(sentences, limit)
    return [sentence.slice(0, len(part)) for sentence, part in zip(whole, cut, strict=False)]


def check_sentences(texts: Sequence[str], plan: "TypeScore") -> None:
    """Raise ValueError if texts have too many sentences to be explained."""
    if not _compares_sentences(plan):
        return
    counts = (_count_sentences(text, name_text(at), plan) for at, text in enumerate(texts))
    check_sentence_pairs([*counts], "'rougeLsum' and 'rougeW'")


def check_sentence_pairs(counts: Sequence[int], types: str) -> None:
    """Raise ValueError if the sentences of a prediction and of a reference make too many pairs."""
    ours, *others = counts
    for index, theirs in enumerate(others, 1):
        if ours * theirs > MOST_SENTENCE_PAIRS:
            raise ValueError(
                f"The prediction has {ours:,} sentences and {name_text(index)} {theirs:,}; "
                f"explain compares at most {MOST_SENTENCE_PAIRS:,} pairs of them. Leave out "
                f"{types}, or explain a part of the text."
            )


def _count_sentences(text: str, name: str, plan: "TypeScore") -> int:
    try:
        return len(plan.split_sentences(text))
    except SplitError as error:
        raise ValueError(f"{name}: {error}") from error


def _compares_sentences(plan: "TypeScore") -> bool:
    """Return whether a type compares the texts sentence by sentence."""
    kinds = {parse_rouge_type(name).kind for name in plan.counted}
    return "lsum" in kinds or ("w" in kinds and not plan.lin2004)


def match_rouge(name: str, texts: Sequence[FoundTokens], plan: "TypeScore") -> Iterator[Matches]:
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


def list_lcs(
    name: str, texts: Sequence[FoundTokens], plan: "TypeScore"
) -> Iterator[Lcs | UnionLcs]:
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
