"""Explain the scores of one prediction: matching n-grams, the LCS, and why a score is 0."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..families.bleu.family import read_bleu
from ..families.rouge.family import read_rouge
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
    if (of_bleu := read_bleu(counts)) is not None:
        matches["bleu"] = match_bleu(bleu, of_bleu.matches.shape[1])
        product = explain_bleu(of_bleu, scoring.of("bleu"))
    if "overlap" in counts.references:
        matches["google_bleu"] = match_gleu(bleu, counts["overlap"].shape[1])
        product = explain_gleu(counts["overlap"], scoring.of("google_bleu"))
    lcs: dict[str, tuple[Lcs | UnionLcs, ...]] = {}
    if plan.counting.rouge is not None:
        for name, counted in scoring.rouge_types.items():
            if found_matches := tuple(match_rouge(counted, rouge, plan.counting.rouge)):
                matches[name] = found_matches
            if found_lcs := tuple(list_lcs(counted, rouge, plan.counting.rouge)):
                lcs[name] = found_lcs
    of_rouge = read_rouge(counts, plan.counting.rouge.types if plan.counting.rouge else ())
    scores = {} if of_rouge is None else explain_rouge(of_rouge, scoring.of("rouge"))
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
    rules = checked.plan(families).scoring.bleu
    sets = rules and rules.weights
    if sets is not None and len(sets) > 1:
        raise ValueError(
            f"weights has {len(sets)} sets; expected one, because explain explains one BLEU."
        )
    return checked
