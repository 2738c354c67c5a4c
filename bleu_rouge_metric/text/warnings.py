"""Warn about texts that the chosen options do not score as their user expects.

Warnings do not change scores. The checks of texts cost little if nothing is wrong: they read totals
that were counted anyway, or a few texts.
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..messages import Argument, format_message
from ..samples.arrow_texts import is_arrow, list_texts
from ..samples.inputs import Samples, Texts
from .align import fold_text
from .sentences import SLOW_SECONDS, estimate_seconds
from .steps import resolve_stop_words
from .tokenizer import TOKENIZERS, Tokenize, Tokenizer, find_tokenizer

# How many samples, or texts, are checked.
MOST_LOOKED_AT: Final = 32

# The end of a sentence that more text follows. A full stop counts only after two letters or digits,
# or after one and a space: "J. R. Smith" and "3.5" are not ends. Scripts that put no space between
# sentences need no space here.
_SENTENCE_END: Final = re.compile(
    r"[.!?…](?:(?<=\w\w.)|(?<=\w .))[.!?…]*[\"'”’»)\]]*\s+[^\s.!?…]"
    r"|[。！？｡।॥؟۔։።။។][」』”’）)\"]*\s*[^\s。！？｡।॥؟۔։።။។」』”’）)\"]"
)


_PACKAGE: Final = Path(__file__).parent.parent

# Libraries that call this package for the user, whose line is behind theirs.
_CALLERS: Final = {"contextlib", "lightning", "pytorch_lightning", "torch", "torchmetrics"}


# The list that collects warnings instead of the module ``warnings``; each thread has its own.
_collected: ContextVar[list[str] | None] = ContextVar("collected", default=None)


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect the warnings of ``warn_caller`` in this thread instead of showing them.

    ``warnings.catch_warnings`` would change the warnings of all threads.

    Yields:
        The list of messages, in order; each warning is appended to it.
    """
    texts: list[str] = []
    token = _collected.set(texts)
    try:
        yield texts
    finally:
        _collected.reset(token)


def warn_caller(message: str) -> None:
    """Warn at the line that called into this package, or append to ``collect_warnings``."""
    collected = _collected.get()
    if collected is not None:
        collected.append(message)
        return
    # Find the outermost frame of this package: the frame that called it, or the library that
    # called it, is the caller's.
    caller: FrameType = sys._getframe()  # noqa: SLF001 - as the module warnings does
    frame: FrameType | None = caller
    while frame is not None:
        if _is_ours(frame):
            caller = frame.f_back or frame
        frame = frame.f_back
    frame = caller
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] not in _CALLERS:
            caller = frame
            break
        frame = frame.f_back
    warnings.warn_explicit(
        message,
        UserWarning,
        caller.f_code.co_filename,
        caller.f_lineno,
        module=caller.f_globals.get("__name__"),
        registry=caller.f_globals.setdefault("__warningregistry__", {}),
    )


def _is_ours(frame: FrameType) -> bool:
    """Whether a frame runs code of this package, or code that ``dataclass`` generated for it."""
    # In generated code co_filename is "<string>", so __file__ is used.
    return _PACKAGE in Path(frame.f_globals.get("__file__") or "").parents


def warn_of_stemmer(use_stemmer: bool | str, tokenizer: object) -> None:  # noqa: FBT001 - an option
    """Warn if a stemmer has no effect on ROUGE, or does not get whole words."""
    found = find_tokenizer(tokenizer)
    if use_stemmer is True and (found is None or found.stemmed is None):
        # Parity: rouge_score stems only in its own tokenizer.
        *names, last = (repr(row.name) for row in TOKENIZERS.values() if row.stemmed)
        warn_caller(
            format_message(
                "{use_stemmer=True} has no effect on ROUGE here: only the tokenizers {} have the "
                "Porter stemmer.",
                f"{', '.join(names)} and {last}",
                remedy=format_message(
                    "Use {use_stemmer='english'}, or another language, to stem the tokens of any "
                    "tokenizer, or leave the tokenizer out."
                ),
            )
        )
    keeps_ascii = found is not None and found.keeps_ascii
    if isinstance(use_stemmer, str) and keeps_ascii and use_stemmer not in ("english", "porter"):
        warn_caller(
            format_message(
                "{} stems parts of words: the tokenizer {!r} keeps only ASCII letters and digits.",
                *(Argument("use_stemmer", "=", use_stemmer), tokenizer),
                remedy=format_message("Use {rouge_tokenizer='unicode'}."),
            )
        )


def warn_of_stop_words(
    stop_words: str | Iterable[str] | None, choice: str | Tokenize, tokenizer: Tokenizer
) -> None:
    """Warn if none of the stop words is a token of the tokenizer, so that they have no effect."""
    words = resolve_stop_words(stop_words)
    if not words or any(tokenizer(word) == [word] for word in words):
        return
    is_name = isinstance(choice, str)
    warn_caller(
        format_message(
            "{stop_words} has no effect: none of the words is a token of the {}.",
            f"{choice!r} tokenizer" if is_name else Argument("rouge_tokenizer"),
            remedy=format_message(
                "Write them as its tokens are, such as in lower case, or change {rouge_tokenizer}."
            ),
        )
    )


def warn_of_smoothing(smooth: object, max_order: int) -> None:
    """Warn if a smoothing needs longer n-grams than are scored, so that BLEU is 0."""
    if smooth == "method6" and max_order < 3:
        warn_caller(
            format_message(
                "{smooth='method6'} smooths the orders from 3 up, but {max_order} is {}, so that "
                "BLEU is 0.",
                max_order,
                remedy=format_message("Use {max_order=3} or more, or another smoothing."),
            )
        )


def warn_of_slow_splitting(samples: Samples) -> None:
    """Warn, before the work, if a text is too long for a splitter of quadratic time."""
    for index, (prediction, references) in enumerate(samples.by_sample()):
        for name, text in (("predictions", prediction), *(("references", r) for r in references)):
            if (seconds := estimate_seconds(text)) > SLOW_SECONDS:
                warn_caller(
                    format_message(
                        "{} has {:,} characters; {sentence_splitter} 'pysbd' may take {:,.0f} s "
                        "for it, and four times as long for a text of twice the length.",
                        *(Argument(f"{name}[{index}]"), len(text)),
                        seconds,
                        remedy="Use 'punkt', or put a newline between sentences and use 'newline'.",
                    )
                )
                return


def warn_if_nothing_is_left(
    samples: Samples,
    prediction_totals: NDArray[Any],
    reference_totals: NDArray[Any],
    *,
    option: str,
    choice: str | Callable[[str], list[str]],
    tokenize: Callable[[str], list[str]],
) -> bool:
    """Warn if the tokenizer finds no token in a text that is not blank; say whether.

    The totals, ints of shapes (samples,) and (references,), are numbers of tokens, or of n-grams of
    one order. Only texts with total 0 are tokenized again.
    """
    predictions = find_vanished(samples.predictions, prediction_totals, tokenize)
    references = find_vanished(samples.references, reference_totals, tokenize)
    if not predictions and not references:
        return False
    owners = samples.offsets.searchsorted(list(references), side="right") - 1
    concerned = len({*predictions, *owners.tolist()})
    looked_at = [*predictions.values(), *references.values()][:MOST_LOOKED_AT]
    words_left = sum(any(map(str.isalnum, fold_text(text))) for text in looked_at)
    remedy = (
        format_message(
            "use {}, which finds the words of every language.", Argument(option, "=", "unicode")
        )
        if 2 * words_left >= len(looked_at)
        else format_message(
            "use {} to count characters that are not letters or digits.",
            Argument(option, "=", "char"),
        )
    )
    count = len(samples.predictions)
    warn_of_vanished(option, choice, concerned, count, remedy, noun=samples.noun)
    return True


def warn_of_vanished(
    option: str, choice: object, lost: int, count: int, remedy: str, *, noun: str = "samples"
) -> None:
    """Warn that a tokenizer leaves nothing of a text in ``lost`` of ``count`` samples.

    With ``noun="texts"``, each sample is one text.
    """
    place = f"{lost:,} of {count:,} {noun} ({100 * lost / count:.3g}%)"
    if noun != "texts":
        # Of a single sample, there is nothing to count.
        place = f"the prediction or of a reference{f' in {place}' if count > 1 else ''}"
    name: object = f"{choice!r} tokenizer"
    if not isinstance(choice, str):
        name = format_message("callable given as {}", Argument(option))
    warn_caller(
        format_message(
            "The {} leaves nothing of {}, so that nothing there can match",
            *(name, place),
            remedy=remedy,
        )
    )


def find_vanished(
    texts: Texts, totals: NDArray[Any], tokenize: Callable[[str], list[str]]
) -> dict[int, str]:
    """Return the texts that are not blank and have no token, by index; others have a total."""
    suspects = find_short_texts(texts, totals)
    return {index: text for index, text in suspects.items() if text.strip() and not tokenize(text)}


def find_short_texts(texts: Texts, totals: NDArray[Any], most: int = 0) -> dict[int, str]:
    """Return the texts with at most so many tokens, by index; else as ``find_vanished``."""
    indices = np.flatnonzero(np.asarray(totals) <= most)
    if not len(indices):
        return {}
    places = indices.tolist()
    if isinstance(texts, list):
        return {place: texts[place] for place in places}
    return dict(zip(places, list_texts(texts.take(indices)), strict=True))


@dataclass
class SentenceLines:
    """Detect whether ``rougeLsum`` and the like treat texts of several sentences as one sentence.

    This is so if no text has a newline, although sentences are split at newlines, and at least half
    of the first 32 samples, and at least two, have several sentences in the prediction or the first
    reference. Samples may come in batches.
    """

    looked_at: int = 0
    several: int = 0
    is_settled: bool = False

    @classmethod
    def from_list(cls, values: object) -> "SentenceLines":
        """Restore the state from a saved list; raise ValueError if it is not valid."""
        if (
            not isinstance(values, list | tuple)
            or [type(value) for value in values] != [int, int, bool]
            or not 0 <= values[1] <= values[0]
        ):
            raise ValueError(
                f"lines is {values!r}; expected how many samples were looked at, how many of them "
                "have several sentences, and True or False."
            )
        return cls(*values)

    def add(self, samples: Samples) -> None:
        """Check more samples."""
        left = max(0, MOST_LOOKED_AT - self.looked_at)
        for texts in samples.list_firsts(slice(left)):
            # Fast path: stop as soon as half of the samples cannot be reached any more.
            if (
                self.is_settled
                or 2 * (self.several + MOST_LOOKED_AT - self.looked_at) < MOST_LOOKED_AT
            ):
                self.is_settled = True
                return
            self.looked_at += 1
            self.is_settled |= any("\n" in text for text in texts)
            self.several += any(map(_SENTENCE_END.search, texts))
        if not self.is_settled:
            self.is_settled = _has_newline(samples.predictions) or _has_newline(samples.references)

    def merge(self, other: "SentenceLines") -> None:
        """Add the findings about other samples."""
        self.looked_at += other.looked_at
        self.several += other.several
        self.is_settled |= other.is_settled

    def warn(self, rouge_types: Sequence[str]) -> None:
        """Warn, once, if these types treat several sentences as one."""
        if self.is_settled or self.several < 2 or 2 * self.several < self.looked_at:
            return
        self.is_settled = True
        names = " and ".join(rouge_types)
        warn_caller(
            format_message(
                "{}: one sentence per line is expected, but no text has a newline, and {} of the "
                "first {} samples have several sentences; each text is one sentence here.",
                *(names, self.several, self.looked_at),
                remedy=format_message(
                    "Put a newline between sentences, or use {sentence_splitter='punkt', 'pysbd'}."
                ),
            )
        )


def warn_if_sentences_share_lines(samples: Samples, rouge_types: Sequence[str]) -> None:
    """Warn if types that take lines for sentences treat several sentences as one."""
    if rouge_types:
        lines = SentenceLines()
        lines.add(samples)
        lines.warn(rouge_types)


def _has_newline(texts: Texts) -> bool:
    """Whether any of the texts has a newline."""
    if is_arrow(texts):
        import pyarrow.compute as pc

        return bool(pc.any(pc.match_substring(texts, "\n")).as_py())
    return any("\n" in text for text in texts)
