"""Warn about the texts of counted samples: without tokens, with lost letters, with shared lines."""

from copy import copy
from dataclasses import replace

from ..families.counts import SampleCounts
from ..fork_locks import make_fork_lock
from ..options.plans import Plan
from ..samples.inputs import Samples
from ..text.mistakes import warn_of_letter_lines, warn_of_mistakes
from ..text.scripts import LetterLosses, warn_if_unsplit
from ..text.warnings import (
    MOST_LOOKED_AT,
    SentenceLines,
    warn_if_nothing_is_left,
    warn_if_sentences_share_lines,
)


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
    tokenizers = [(score, score.plain_tokenizer) for score in plan.scores.values()]
    for score, tokenizer in tokenizers:
        row = samples, score.tokenizer_option, tokenizer
        if tokenizer.leaves_unsplit:
            warned |= warn_if_unsplit(*row, score.word_remedies)
        single, types = tokenizer.of_sentences, score.sentence_types
        if types and single is not None and single.leaves_unsplit:
            warned |= warn_if_unsplit(*row, sentence_types=types)
    ascii_only = [score for score, tokenizer in tokenizers if tokenizer.keeps_ascii]
    letters = LetterLosses() if letters is None else letters
    # Fast path: after the last sample that is read, no sample changes what is known.
    if ascii_only and letters.looked_at < MOST_LOOKED_AT:
        letters.add(samples)
        if letters.warn([(score.tokenizer_option, score.choice) for score in ascii_only]):
            # A warning about texts without tokens would repeat it.
            tokenizers = [row for row in tokenizers if row[0] not in ascii_only]
            warned = True
        if warned or letters.looked_at >= MOST_LOOKED_AT:
            # They are not needed any more, and a scorer or its pickle should not hold texts.
            letters.words = []
    for score, tokenizer in tokenizers:
        predictions, references = score.count_tokens(counts)
        if not (predictions.all() and references.all()):
            warned |= warn_if_nothing_is_left(
                samples,
                predictions,
                references,
                option=score.tokenizer_option,
                choice=score.choice,
                tokenize=tokenizer,
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
        first = next(iter(plan.scores.values()))
        warn_of_mistakes(samples, lambda: first.count_tokens(counts), self._mistakes)
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
