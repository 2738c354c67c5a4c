"""Explain the scores of one prediction: matching n-grams, the LCS, and why a score is 0."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..families.registry import FAMILIES
from ..matching.notes import list_losses
from ..matching.tokens import FoundTokens, name_text
from ..messages import Argument
from ..options.arguments import name_arguments
from ..options.options import Options
from ..options.plans import CountPlan
from ..options.profiles import Family, check_family
from ..options.relevance import refuse_options
from ..options.table import option_names
from ..samples.inputs import check_pair
from ..scoring.counting import count_samples
from ..scoring.lost_texts import warn_of_texts
from ..text.warnings import collect_warnings
from .explanation import ExplainedText, Explanation

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
        of ``metric.compute`` for this sample alone, for ROUGE with ``use_aggregator=False``.
        Warnings are among the notes; none is shown.

    Raises:
        TypeError: a text is not a str, or an option is unknown or asks for another output.
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
        ((first, others),) = samples.by_sample()
        texts = [first, *others]
        for counting in plan.counting.parts.values():
            counting.check_explained(texts)
        counts = count_samples(samples, plan.counting)
        warn_of_texts(samples, counts, plan.counting)
    found = {
        name: [counting.find_tokens(text) for text in texts]
        for name, counting in plan.counting.parts.items()
    }
    parts = [
        scoring.explain(counting, tokens, counts)
        for (counting, scoring), tokens in zip(plan.pairs(), found.values(), strict=True)
    ]
    scores: dict[str, Any] = {}
    for part in parts:
        scores.update(part.scores)
    zeros = (note for part in parts for note in part.notes)
    losses = (note for name in found for note in _list_losses(name, found[name], plan.counting))
    explained = _join_tokens(found)
    return Explanation(
        explained[0],
        tuple(explained[1:]),
        matches={name: item for part in parts for name, item in part.matches.items()},
        lcs={name: item for part in parts for name, item in part.lcs.items()},
        bleu=scores.get("bleu"),
        rouge=scores.get("rouge", {}),
        notes=(*dict.fromkeys([*zeros, *losses]), *warnings),
    )


def _join_tokens(found: Mapping[str, list[FoundTokens]]) -> list[ExplainedText]:
    """Return the texts with the tokens of all families, the last of which has those of ROUGE."""
    bleu = next((found[name] for name in found if FAMILIES[name].group == "bleu"), None)
    return [
        ExplainedText(
            text.text,
            tuple(text.tokens),
            tuple(bleu[index].tokens) if bleu else (),
            tuple(map(tuple, text.sentences)),
        )
        for index, text in enumerate([*found.values()][-1])
    ]


def _list_losses(name: str, texts: Sequence[FoundTokens], plan: CountPlan) -> Iterator[str]:
    """Iterate over what the options of a family leave out of the texts."""
    choice, family = plan.parts[name].choice, FAMILIES[name]
    tokenizer = f"{choice!r} tokenizer" if isinstance(choice, str) else Argument(family.tokenizer)
    for index, text in enumerate(texts):
        place = Argument(name_text(index)) if index else "the prediction"
        yield from list_losses(text, place, tokenizer, family.group.upper())


def _check_options(options: Mapping[str, Any], families: Sequence[Family]) -> Options:
    """Return the checked options; raise TypeError for one that asks for another output."""
    asked = option_names("output", "aggregation")
    refuse_options(options, asked, "explain", "explains one sample")
    checked = Options.from_keywords(options, families)
    for part in checked.plan(families).scoring.parts.values():
        part.check_one_score("explain explains one BLEU")
    return checked
