"""Explain the scores of one prediction: which n-grams match, where the LCS is, what makes a 0."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..counting.rouge_types import parse_rouge_type, skip_distance_of
from ..options.arguments import name_arguments
from ..options.options import Options
from ..options.plans import Plan, RougeCountPlan
from ..options.profiles import Family, check_family
from ..options.table import option_names
from ..samples.inputs import Samples, check_pair
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from ..text.alignment import Token
from ..text.warnings import collect_warnings
from .explanation import Explanation
from .explanation_lcs import Lcs, UnionLcs, find_lcs, find_union
from .explanation_ngrams import Matches, find_ngrams, find_skip_bigrams, match_occurrences
from .explanation_notes import list_notes
from .explanation_scores import explain_bleu, explain_gleu, explain_rouge
from .explanation_tokens import ExplainedText, FoundTokens, RougeTokens, find_bleu_tokens

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import OptionKeywords

# The most tokens of a text: the LCS of two such texts takes 13 MB. The lists of n-grams of longer
# texts are not for readers.
MOST_TOKENS: Final = 10_000

Forms = list[str]


@name_arguments
def explain(
    prediction: str,
    references: str | Sequence[str],
    *,
    family: Family | None = None,
    **options: "Unpack[OptionKeywords]",
) -> Explanation:
    """Explain the scores of one prediction with its references.

    Args:
        prediction: a text.
        references: a text, or a sequence of one or more.
        family: ``bleu`` or ``rouge`` for one alone; None for all that the profile has.
        **options: options of ``metric.compute`` that change scores, such as ``profile``,
            ``rouge_types``, ``tokenizer`` and ``use_stemmer``.

    Returns:
        Tokens with their places in the texts, matches, LCS, scores and notes. The scores are those
        of ``metric.compute`` for this sample alone. Warnings are among the notes; none is shown.

    Raises:
        TypeError: a text is no str, or an option is unknown or asks for another output.
        ValueError: a value is out of range, there is no reference, or a text is too long: 10,000
            tokens, and for ``rougeS`` and ``rougeSU`` 200,000 skip-bigrams.

    >>> explanation = explain("the cat sat", ["a cat sat down", "the dog"], rouge_types=["rougeL"])
    >>> [token.form for token in explanation.prediction.tokens]
    ['the', 'cat', 'sat']
    >>> explanation.rouge["rougeL"].reference, explanation.lcs["rougeL"][0].pairs
    (0, ((1, 1), (2, 2)))
    >>> explanation.notes[0]
    'BLEU is 0: no 3-gram of the prediction stands in a reference.'
    """
    families = check_family(family)
    with collect_warnings() as warnings:
        checked = _check_options(options, families)
        plan = checked.plan(families)
        samples = check_pair(prediction, references)
        if samples.are_ids:
            raise TypeError(
                "prediction is a sequence of token ids, but explain is for texts; decode the ids."
            )
        counts = count_samples(samples, plan.counting)
        warn_of_texts(samples, counts, plan.counting)
    bleu, rouge = _find_tokens(samples, plan, checked)
    first = rouge or bleu
    texts = [
        ExplainedText(
            found.text,
            tuple(found.tokens),
            tuple(bleu[index].tokens) if bleu else (),
            tuple(map(tuple, found.sentences)),
        )
        for index, found in enumerate(first)
    ]
    scoring = plan.scoring
    matches: dict[str, tuple[Matches, ...]] = {}
    product: Any = None
    if counts.bleu is not None:
        matches["bleu"] = _match_bleu(bleu, counts.bleu.matches.shape[1])
        product = explain_bleu(counts.bleu, scoring.bleu)
    if counts.overlap is not None:
        matches["google_bleu"] = _match_gleu(bleu, counts.overlap.shape[1])
        product = explain_gleu(counts.overlap, scoring.min_order)
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]] = {}
    if plan.counting.rouge is not None:
        for name, counted in scoring.rouge_types.items():
            if found_matches := tuple(_match_rouge(counted, rouge, plan.counting.rouge)):
                matches[name] = found_matches
            if found_lcs := tuple(_find_lcs(counted, rouge, plan.counting.rouge)):
                lcs[name] = found_lcs
    scores = {} if counts.rouge is None else explain_rouge(counts.rouge, scoring)
    notes = list_notes(product, scores, {"bleu": bleu, "rouge": rouge}, plan.counting)
    return Explanation(
        texts[0], tuple(texts[1:]), matches, lcs, product, scores, (*notes, *warnings)
    )


def _check_options(options: Any, families: Sequence[Family]) -> Options:
    """Return the checked options; raise TypeError for one that asks for another output."""
    for option in option_names("output", "aggregation"):
        if options.get(option) is not None:
            raise TypeError(
                f"{option!r} is no option of explain, which explains one sample; use "
                "metric.compute."
            )
    checked = Options.from_keywords(options, families)
    sets = checked.plan(families).scoring.bleu.weights
    if sets is not None and len(sets) > 1:
        raise ValueError(
            f"weights has {len(sets)} sets; expected one, because explain explains one BLEU."
        )
    return checked


def _find_tokens(
    samples: Samples, plan: Plan, options: Options
) -> tuple[list[FoundTokens], list[FoundTokens]]:
    """Return what BLEU and ROUGE compare of the prediction and of each reference, in this order."""
    ((prediction, references),) = samples.by_sample()
    bleu: list[FoundTokens] = []
    rouge: list[FoundTokens] = []
    counting = plan.counting
    if counting.bleu is not None:
        bleu = [find_bleu_tokens(text, counting.bleu) for text in (prediction, *references)]
    if counting.rouge is not None:
        tokens = RougeTokens(counting.rouge, options)
        kinds = {parse_rouge_type(name).kind for name in counting.rouge.types}
        by_sentence = "lsum" in kinds or ("w" in kinds and not counting.rouge.lin2004)
        rouge = [tokens.find(text, by_sentence=by_sentence) for text in (prediction, *references)]
    for found in (bleu, rouge):
        for index, text in enumerate(found):
            if len(text.tokens) > MOST_TOKENS:
                raise ValueError(
                    f"{_name(index)} has {len(text.tokens):,} tokens; explain takes at most "
                    f"{MOST_TOKENS:,}. Explain a part of the text."
                )
    return bleu, rouge


def _name(index: int) -> str:
    """Return the name of a text for errors: of the prediction, or of a reference behind it."""
    return f"references[{index - 1}]" if index else "prediction"


def _forms(tokens: Sequence[Token]) -> Forms:
    return [token.form for token in tokens]


def _match_bleu(texts: Sequence[FoundTokens], max_order: int) -> tuple[Matches, ...]:
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


def _match_gleu(texts: Sequence[FoundTokens], max_order: int) -> tuple[Matches, ...]:
    prediction, *references = [_forms(text.tokens) for text in texts]
    return tuple(
        _match_ngrams(prediction, forms, index, order)
        for index, forms in enumerate(references)
        for order in range(1, max_order + 1)
    )


def _match_ngrams(prediction: Forms, reference: Forms, index: int, order: int) -> Matches:
    ngrams = find_ngrams(prediction, order)
    return match_occurrences("n-grams", order, ngrams, {index: find_ngrams(reference, order)})


def _match_rouge(
    name: str, texts: Sequence[FoundTokens], plan: RougeCountPlan
) -> Iterator[Matches]:
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
                find_skip_bigrams(forms[0], distance, _name(0)),
                {index: find_skip_bigrams(reference, distance, _name(index + 1))},
            )
        if item.kind == "su":
            # Parity: ROUGE-1.5.5 does not count the unigram of the last token (rouge_types.py).
            stop = None if plan.lin2004 else -1
            yield _match_ngrams(forms[0][:stop], reference[:stop], index, 1)


def _find_lcs(
    name: str, texts: Sequence[FoundTokens], plan: RougeCountPlan
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
