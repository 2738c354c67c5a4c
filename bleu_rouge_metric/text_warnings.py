"""Warnings about texts that the chosen options cannot score as their user will expect.

Scores stay what the options say. Both checks cost next to nothing where nothing is wrong: the
first reads totals that were counted anyway, the second at most 64 texts.
"""

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .arrow_texts import is_arrow, to_list
from .inputs import Samples, Texts
from .sentences import SentenceSplitter, split_newline
from .unicode_words import tokenize_unicode

# How many samples, or texts, are looked at to see what they hold.
MOST_LOOKED_AT: Final = 32

# The end of a sentence with more text after it. A full stop counts after two letters or digits,
# also where a space stands before it: "J. R. Smith" and "3.5" are no ends. Scripts that put no
# space between sentences need none.
_SENTENCE_END: Final = re.compile(
    r"[.!?…](?:(?<=\w\w.)|(?<=\w .))[.!?…]*[\"'”’»)\]]*\s+[^\s.!?…]"
    r"|[。！？｡।॥؟۔։።။។][」』”’）)\"]*\s*[^\s。！？｡।॥؟۔։።။។」』”’）)\"]"
)


_PACKAGE: Final = Path(__file__).parent


def warn_caller(message: str) -> None:
    """Warns at the line that called into this package."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - as the module warnings does
    level = 2
    while frame is not None and Path(frame.f_code.co_filename).parent == _PACKAGE:
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)


def warn_of_stemmer(use_stemmer: bool | str, tokenizer: object) -> None:  # noqa: FBT001 - an option
    """Warns where a stemmer has no effect on ROUGE, or gets no whole words."""
    keeps_ascii = tokenizer in ("rouge", "rouge-1.5.5")
    if use_stemmer is True and not keeps_ascii:
        # Parity: rouge_score stems in its own tokenizer alone.
        warn_caller(
            "use_stemmer=True has no effect on ROUGE here: only the tokenizers 'rouge' and "
            "'rouge-1.5.5' have the Porter stemmer. Use use_stemmer='english', or another "
            "language, to stem the tokens of any tokenizer, or leave the tokenizer out."
        )
    if isinstance(use_stemmer, str) and keeps_ascii and use_stemmer not in ("english", "porter"):
        warn_caller(
            f"use_stemmer={use_stemmer!r} gets pieces of words: the tokenizer {tokenizer!r} keeps "
            "ASCII letters and digits alone. Use rouge_tokenizer='unicode'."
        )


def warn_if_nothing_is_left(
    samples: Samples,
    prediction_totals: NDArray[Any],
    reference_totals: NDArray[Any],
    *,
    option: str,
    choice: str | Callable[[str], list[str]],
    tokenize: Callable[[str], list[str]],
) -> bool:
    """Warns where the tokenizer leaves nothing of a text that is not blank.

    Args:
        samples: all that were counted.
        prediction_totals: ints, shape (samples,); tokens of each prediction, or its n-grams of any
            one order. A text is tokenized again where its total is 0, and only there.
        reference_totals: ints, shape (references,); likewise.
        option: the option that chose the tokenizer, such as ``tokenizer``; the remedy names it.
        choice: the name of the tokenizer, or a callable.
        tokenize: the function behind the choice.

    Returns:
        Whether it warned.
    """
    predictions = find_vanished(samples.predictions, prediction_totals, tokenize)
    references = find_vanished(samples.references, reference_totals, tokenize)
    if not predictions and not references:
        return False
    owners = samples.offsets.searchsorted(list(references), side="right") - 1
    concerned = len({*predictions, *owners.tolist()})
    looked_at = [*predictions.values(), *references.values()][:MOST_LOOKED_AT]
    words_left = sum(map(bool, map(tokenize_unicode, looked_at)))
    remedy = (
        f"use {option}='unicode', which finds the words of every language"
        if 2 * words_left >= len(looked_at)
        else f"use {option}='char' if characters that are no letters or digits are to count"
    )
    name = f"{choice!r} tokenizer" if isinstance(choice, str) else f"callable given as {option}"
    count = len(samples.predictions)
    warn_caller(
        f"The {name} leaves nothing of the prediction or of a reference in {concerned:,} of "
        f"{count:,} samples ({100 * concerned / count:.3g}%), so that nothing there can match; "
        f"{remedy}."
    )
    return True


def find_vanished(
    texts: Texts, totals: NDArray[Any], tokenize: Callable[[str], list[str]]
) -> dict[int, str]:
    """The texts that are not blank and have no token, by index.

    Args:
        texts: of any number.
        totals: ints, one a text; 0 where there may be no token.
        tokenize: from a text to its tokens.
    """
    indices = np.flatnonzero(np.asarray(totals) == 0)
    if not len(indices):
        return {}
    if isinstance(texts, list):
        suspects = [texts[index] for index in indices]
    else:
        suspects = to_list(texts.take(indices))
    return {
        index: text
        for index, text in zip(indices.tolist(), suspects, strict=True)
        if text.strip() and not tokenize(text)
    }


@dataclass
class SentenceLines:
    """Whether ``rougeLsum`` and the like take texts of several sentences for one.

    That is so where sentences are split at newlines, at least two and half of the first 32 samples
    have several sentences in the prediction or the first reference, and no text has a newline.
    Samples may come in batches.

    Attributes:
        looked_at: how many samples were looked at.
        several: how many of these have several sentences.
        is_settled: whether nothing that comes can make it so.
    """

    looked_at: int = 0
    several: int = 0
    is_settled: bool = False

    def add(self, samples: Samples) -> None:
        """Looks at more samples."""
        left = max(0, MOST_LOOKED_AT - self.looked_at)
        for prediction, references in samples.select(0, left).by_sample():
            # Fast path: stops where half of the samples cannot be reached any more.
            if (
                self.is_settled
                or 2 * (self.several + MOST_LOOKED_AT - self.looked_at) < MOST_LOOKED_AT
            ):
                self.is_settled = True
                return
            self.looked_at += 1
            texts = prediction, references[0]
            self.is_settled |= any("\n" in text for text in texts)
            self.several += any(map(_SENTENCE_END.search, texts))
        if not self.is_settled:
            self.is_settled = _has_newline(samples.predictions) or _has_newline(samples.references)

    def merge(self, other: "SentenceLines") -> None:
        """Takes in what was seen of other samples."""
        self.looked_at += other.looked_at
        self.several += other.several
        self.is_settled |= other.is_settled

    def warn(self, rouge_types: Sequence[str]) -> None:
        """Warns, once, if it is so for these types."""
        if self.is_settled or self.several < 2 or 2 * self.several < self.looked_at:
            return
        self.is_settled = True
        names = " and ".join(rouge_types)
        warn_caller(
            f"{names}: one sentence a line, but no text has a newline, and {self.several} of the "
            f"first {self.looked_at} samples have several sentences; each text is one sentence "
            "here. Put a newline between sentences, or use sentence_splitter='punkt' or 'pysbd'."
        )


def warn_if_sentences_share_lines(
    samples: Samples, split_sentences: SentenceSplitter, rouge_types: Sequence[str]
) -> None:
    """Warns where ``rougeLsum`` and the like would take texts of several sentences for one.

    Args:
        samples: all that are scored.
        split_sentences: the splitter in use.
        rouge_types: those that were asked for and that look at sentences.
    """
    if split_sentences is split_newline and rouge_types:
        lines = SentenceLines()
        lines.add(samples)
        lines.warn(rouge_types)


def _has_newline(texts: Texts) -> bool:
    """Whether any of the texts has a newline."""
    if is_arrow(texts):
        import pyarrow.compute as pc

        return bool(pc.any(pc.match_substring(texts, "\n")).as_py())
    return any("\n" in text for text in texts)
