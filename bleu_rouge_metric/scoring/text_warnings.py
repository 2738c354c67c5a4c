"""Warnings about the texts of an object that counts batch after batch, each given once."""

from copy import copy
from dataclasses import replace

from ..families.counts import SampleCounts
from ..fork_locks import make_fork_lock
from ..options.plans import Plan
from ..samples.inputs import Samples
from ..text.letter_warnings import LetterLosses
from ..text.mistakes import warn_of_mistakes
from ..text.warnings import SentenceLines
from .lost_texts import count_tokens, warn_of_lost_texts


class TextWarnings:
    """What is known of the texts that were counted, and which warnings were given.

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
        """Forget the texts, but not the names of the warnings that were given.

        Args:
            lines: what is known of the samples that are held from now on; None if there are none.
        """
        with self._lock:
            self._has_warned = False
            self._mistakes: set[str] = set()
            self._letters = LetterLosses(self.given)
            self.lines = SentenceLines() if lines is None else lines

    def check(self, samples: Samples, counts: SampleCounts, plan: Plan) -> None:
        """Warn of mistakes and of lost texts, and find out whether sentences share a line.

        Args:
            samples: a batch.
            counts: counts of the batch.
            plan: the plan that the samples were counted with.
        """
        if samples.are_ids:
            return
        warn_of_mistakes(samples, lambda: count_tokens(counts, plan), self._mistakes)
        if not self._has_warned:
            self._has_warned = warn_of_lost_texts(samples, counts, plan, self._letters)
        if plan.line_types:
            self._look_at_lines(samples)

    def _look_at_lines(self, samples: Samples) -> None:
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
