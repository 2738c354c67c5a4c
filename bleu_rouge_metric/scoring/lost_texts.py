"""Warn about counted samples: texts without tokens, lost letters, sentences that share a line."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..families.score import Choice
from ..options.plans import Plan
from ..samples.inputs import Samples
from ..text.letter_warnings import LetterLosses
from ..text.mistakes import warn_of_letter_lines
from ..text.script_warnings import warn_if_unsplit
from ..text.tokenizer import Tokenizer
from ..text.warnings import MOST_LOOKED_AT, warn_if_nothing_is_left, warn_if_sentences_share_lines


class TokenTotals(NamedTuple):
    """How many tokens one tokenizer leaves of the texts.

    Attributes:
        option: that chose the tokenizer.
        choice: its value.
        tokenize: the tokenizer without stop words, which are meant to go.
        prediction_totals: ints, shape (samples,); 0 if no token is left.
        reference_totals: ints, shape (references,); likewise.
        remedies: as ``Score.word_remedies``.
        sentence_types: as ``Score.sentence_types``.
    """

    option: str
    choice: Choice
    tokenize: Tokenizer
    prediction_totals: NDArray[Any]
    reference_totals: NDArray[Any]
    remedies: Mapping[str, str]
    sentence_types: tuple[str, ...]

    @property
    def lose_texts(self) -> bool:
        """Return whether some text has no token, if only because it is blank."""
        return not (self.prediction_totals.all() and self.reference_totals.all())


def warn_of_texts(samples: Samples, counts: SampleCounts, plan: Plan) -> None:
    """Warn if the options leave nothing of a text, drop letters, or take sentences for one."""
    warn_of_lost_texts(samples, counts, plan)
    if not samples.are_ids:
        warn_of_letter_lines(samples)
        warn_if_sentences_share_lines(samples, plan.line_types)


def count_tokens(counts: SampleCounts, plan: Plan) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how many tokens the first tokenizer leaves of each prediction and reference."""
    totals = next(list_totals(counts, plan))
    return totals.prediction_totals, totals.reference_totals


def warn_of_lost_texts(
    samples: Samples, counts: SampleCounts, plan: Plan, letters: LetterLosses | None = None
) -> bool:
    """Warn if the tokenizers leave nothing of a text, or all of it in one piece, or drop letters.

    Args:
        samples: the counted samples.
        counts: counts of the samples.
        plan: the plan that the samples were counted with.
        letters: checks the letters of all samples if these are one batch of several.

    Returns:
        Whether it warned.
    """
    if samples.are_ids:
        return False
    warned = False
    found = list(list_totals(counts, plan))
    for totals in found:
        if totals.tokenize.leaves_unsplit:
            warned |= warn_if_unsplit(samples, totals.option, totals.tokenize, totals.remedies)
        single, types = totals.tokenize.of_sentences, totals.sentence_types
        if types and single is not None and single.leaves_unsplit:
            row = totals.option, totals.tokenize
            warned |= warn_if_unsplit(samples, *row, sentence_types=types)
    ascii_only = [totals for totals in found if totals.tokenize.keeps_ascii]
    letters = LetterLosses() if letters is None else letters
    # Fast path: after the last sample that is read, no sample changes what was found.
    if ascii_only and letters.looked_at < MOST_LOOKED_AT:
        letters.add(samples)
        if letters.warn([(totals.option, totals.choice) for totals in ascii_only]):
            # A warning about texts without tokens would repeat it.
            found = [totals for totals in found if not totals.tokenize.keeps_ascii]
            warned = True
        if warned or letters.looked_at >= MOST_LOOKED_AT:
            # They are not needed any more, and a scorer or its pickle should not hold texts.
            letters.words = []
    for totals in found:
        if totals.lose_texts:
            warned |= warn_if_nothing_is_left(
                samples,
                totals.prediction_totals,
                totals.reference_totals,
                option=totals.option,
                choice=totals.choice,
                tokenize=totals.tokenize,
            )
    return warned


def list_totals(counts: SampleCounts, plan: Plan) -> Iterator[TokenTotals]:
    """Iterate over the totals of each tokenizer."""
    for score in plan.scores.values():
        predictions, references = score.count_tokens(counts)
        yield TokenTotals(
            score.tokenizer_option,
            score.choice,
            score.plain_tokenizer,
            predictions,
            references,
            score.word_remedies,
            score.sentence_types,
        )
