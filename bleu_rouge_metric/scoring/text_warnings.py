"""Warn about the texts of counted samples: without tokens, with lost letters, with shared lines."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

from numpy.typing import NDArray

from ..families.counts import SampleCounts
from ..families.score import Choice
from ..fork_locks import make_fork_lock
from ..options.plans import Plan
from ..samples.inputs import Samples
from ..text.mistakes import warn_of_letter_lines, warn_of_mistakes
from ..text.scripts import LetterLosses, warn_if_unsplit
from ..text.tokenizer import Tokenizer
from ..text.warnings import (
    MOST_LOOKED_AT,
    SentenceLines,
    warn_if_nothing_is_left,
    warn_if_sentences_share_lines,
)


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
    def has_texts_without_tokens(self) -> bool:
        """Return whether some text has no token, if only because it is blank."""
        return not (self.prediction_totals.all() and self.reference_totals.all())


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


def _count_tokens(counts: SampleCounts, plan: Plan) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how many tokens the first tokenizer leaves of each prediction and reference."""
    totals = next(list_totals(counts, plan))
    return totals.prediction_totals, totals.reference_totals


def warn_of_texts(samples: Samples, counts: SampleCounts, plan: Plan) -> None:
    """Warn if the options leave nothing of a text, drop letters, or take sentences for one."""
    warn_of_tokenization(samples, counts, plan)
    if not samples.are_ids:
        warn_of_letter_lines(samples)
        warn_if_sentences_share_lines(samples, plan.line_types)


def warn_of_tokenization(
    samples: Samples, counts: SampleCounts, plan: Plan, letters: LetterLosses | None = None
) -> bool:
    """Warn if tokenizers drop a text or letters, or do not split it; return whether they do.

    ``letters`` checks the letters of all samples if these are one batch of several.
    """
    if samples.are_ids:
        return False
    warned = False
    tokenizers = list(list_totals(counts, plan))
    for totals in tokenizers:
        if totals.tokenize.leaves_unsplit:
            warned |= warn_if_unsplit(samples, totals.option, totals.tokenize, totals.remedies)
        single, types = totals.tokenize.of_sentences, totals.sentence_types
        if types and single is not None and single.leaves_unsplit:
            row = totals.option, totals.tokenize
            warned |= warn_if_unsplit(samples, *row, sentence_types=types)
    ascii_only = [totals for totals in tokenizers if totals.tokenize.keeps_ascii]
    letters = LetterLosses() if letters is None else letters
    # Fast path: after the last sample that is read, no sample changes what is known.
    if ascii_only and letters.looked_at < MOST_LOOKED_AT:
        letters.add(samples)
        if letters.warn([(totals.option, totals.choice) for totals in ascii_only]):
            # A warning about texts without tokens would repeat it.
            tokenizers = [totals for totals in tokenizers if not totals.tokenize.keeps_ascii]
            warned = True
        if warned or letters.looked_at >= MOST_LOOKED_AT:
            # They are not needed any more, and a scorer or its pickle should not hold texts.
            letters.words = []
    for totals in tokenizers:
        if totals.has_texts_without_tokens:
            warned |= warn_if_nothing_is_left(
                samples,
                totals.prediction_totals,
                totals.reference_totals,
                option=totals.option,
                choice=totals.choice,
                tokenize=totals.tokenize,
            )
    return warned


class TextWarnings:
    """What is known of the texts that an object counts batch after batch; each warning comes once.

    Threads may share it.

    Attributes:
        given: names of the warnings that are not given again; several objects may share it.
        lines: whether sentences share a line. It is replaced and not changed by more samples.
    """

    # Of all objects; a fork waits for it.
    _lock = make_fork_lock()

    def __init__(self, given: set[str] | None = None) -> None:
        self.given = set() if given is None else given
        self.restart()

    def restart(self, lines: SentenceLines | None = None) -> None:
        """Forget the texts; ``lines`` is what is known of those that are held from now on."""
        with self._lock:
            self._has_warned = False
            self._mistakes: set[str] = set()
            self._letters = LetterLosses(self.given)
            self.lines = SentenceLines() if lines is None else lines

    def check_tokens(self, samples: Samples, counts: SampleCounts, plan: Plan) -> bool:
        """Warn of mistakes and of what tokenizers drop; return whether they have, so far."""
        if samples.are_ids:
            return False
        warn_of_mistakes(samples, lambda: _count_tokens(counts, plan), self._mistakes)
        if not self._has_warned:
            self._has_warned = warn_of_tokenization(samples, counts, plan, self._letters)
        return self._has_warned

    def check(self, samples: Samples, counts: SampleCounts, plan: Plan) -> None:
        """Check the tokens of a batch, and find out whether sentences share a line."""
        self.check_tokens(samples, counts, plan)
        if plan.line_types and not samples.are_ids:
            while not (held := self.lines).is_settled:
                lines = copy(held)
                lines.add(samples)
                with self._lock:
                    if self.lines is held:
                        self.lines = lines
                        return

    def merge(self, lines: SentenceLines) -> None:
        """Add what is known of the lines of other samples."""
        with self._lock:
            merged = copy(self.lines)
            merged.merge(lines)
            self.lines = merged

    def warn_of_lines(self, plan: Plan) -> None:
        """Warn, once, if sentences share a line."""
        self.lines.warn(plan.line_types)

    def __copy__(self) -> "TextWarnings":
        copied = TextWarnings(self.given)
        copied._has_warned = self._has_warned
        copied._mistakes = {*self._mistakes}
        copied._letters = replace(self._letters, words=[*self._letters.words])
        copied.lines = copy(self.lines)
        return copied
