"""Explain the scores of one prediction: matching n-grams, the LCS, and why a score is 0."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..families.bleu.counting import read_bleu
from ..families.rouge.counting import read_rouge
from ..options.arguments import name_arguments
from ..options.options import Options
from ..options.profiles import Family, check_family
from ..options.table import option_names
from ..samples.inputs import check_pair
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from ..text.warnings import collect_warnings
from .explanation import Explanation
from .explanation_lcs import Lcs, UnionLcs
from .explanation_matches import list_lcs, match_bleu, match_gleu, match_rouge
from .explanation_ngrams import Matches
from .explanation_notes import list_notes
from .explanation_scores import (
    BleuExplanation,
    GleuExplanation,
    explain_bleu,
    explain_gleu,
    explain_rouge,
)
from .explanation_tokens import ExplainedText, check_lengths, find_tokens

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..options.keywords import ExplainKeywords


@name_arguments
def explain(
    prediction: str,
    references: str | Sequence[str],
    *,
    family: Family | None = None,
    **options: "Unpack[ExplainKeywords]",
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
        ValueError: a value is out of range, there is no reference, or a text is too long: more than
            10,000 tokens, for ``rougeS`` and ``rougeSU`` 200,000 skip-bigrams, or for ``rougeLsum``
            and ``rougeW`` 200,000 pairs of its sentences with those of a reference.

    >>> explanation = explain("the cat sat", ["a cat sat down", "the dog"], rouge_types=["rougeL"])
    >>> [token.form for token in explanation.prediction.tokens]
    ['the', 'cat', 'sat']
    >>> explanation.rouge["rougeL"].reference, explanation.lcs["rougeL"][0].pairs
    (0, ((1, 1), (2, 2)))
    >>> explanation.notes[0]
    'BLEU is 0: no 3-gram of the prediction occurs in a reference.'
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
        check_lengths(samples, plan.counting)
        counts = count_samples(samples, plan.counting)
        warn_of_texts(samples, counts, plan.counting)
    bleu, rouge = find_tokens(samples, plan.counting, checked)
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
    product: BleuExplanation | GleuExplanation | None = None
    parts: Any = scoring.parts
    if "bleu" in parts:
        of_bleu = read_bleu(counts)
        matches["bleu"] = match_bleu(bleu, of_bleu.matches.shape[1])
        product = explain_bleu(of_bleu, parts["bleu"].rules)
    if "google_bleu" in parts:
        matches["google_bleu"] = match_gleu(bleu, counts["overlap"].shape[1])
        product = explain_gleu(counts["overlap"], parts["google_bleu"].min_order)
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]] = {}
    scores = {}
    if "rouge" in parts:
        counting: Any = plan.counting.parts["rouge"]
        for name, counted in parts["rouge"].types.items():
            if found_matches := tuple(match_rouge(counted, rouge, counting)):
                matches[name] = found_matches
            if found_lcs := tuple(list_lcs(counted, rouge, counting)):
                lcs[name] = found_lcs
        scores = explain_rouge(read_rouge(counts, counting.types), parts["rouge"])
    notes = list_notes(product, scores, {"bleu": bleu, "rouge": rouge}, plan.counting)
    return Explanation(
        texts[0], tuple(texts[1:]), matches, lcs, product, scores, (*notes, *warnings)
    )


def _check_options(options: Mapping[str, Any], families: Sequence[Family]) -> Options:
    """Return the checked options; raise TypeError for one that asks for another output."""
    for option in option_names("output", "aggregation"):
        if options.get(option) is not None:
            raise TypeError(
                f"{option!r} is not an option of explain, which explains one sample; use "
                "metric.compute."
            )
    checked = Options.from_keywords(options, families)
    for part in checked.plan(families).scoring.parts.values():
        part.check_one_score("explain explains one BLEU")
    return checked
