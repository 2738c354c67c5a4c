"""Warnings about texts that the chosen options cannot score as their user will expect.

Scores stay what the options say. Both checks cost next to nothing where nothing is wrong: the
first reads totals that were counted anyway, the second at most 128 texts.
"""

import re
import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .arrow_texts import is_arrow, to_list
from .inputs import Samples, Texts
from .sentences import SentenceSplitter, split_newline
from .unicode_words import tokenize_unicode

# How many samples, or texts, are looked at to see what they hold.
_LOOKED_AT: Final = 64

# The end of a sentence with more text after it. A full stop counts after two letters or digits,
# also where a space stands before it: "J. R. Smith" and "3.5" are no ends. Scripts that put no
# space between sentences need none.
_SENTENCE_END: Final = re.compile(
    r"[.!?…](?:(?<=\w\w.)|(?<=\w .))[.!?…]*[\"'”’»)\]]*\s+[^\s.!?…]"
    r"|[。！？｡।॥؟۔։።။។][」』”’）)\"]*\s*[^\s。！？｡।॥؟۔։።။។」』”’）)\"]"
)


def warn_if_nothing_is_left(
    samples: Samples,
    prediction_totals: NDArray[Any],
    reference_totals: NDArray[Any],
    *,
    option: str,
    choice: str | Callable[[str], list[str]],
    tokenize: Callable[[str], list[str]],
    stacklevel: int = 2,
) -> None:
    """Warns where the tokenizer leaves nothing of a text that is not blank.

    Args:
        samples: all that were counted.
        prediction_totals: ints, shape (samples,); tokens of each prediction, or its n-grams of any
            one order. A text is tokenized again where its total is 0, and only there.
        reference_totals: ints, shape (references,); likewise.
        option: the option that chose the tokenizer, such as ``tokenizer``; the remedy names it.
        choice: the name of the tokenizer, or a callable.
        tokenize: the function behind the choice.
        stacklevel: 2 for a warning at the line of the caller, as in ``warnings.warn``.
    """
    predictions = _find_vanished(samples.predictions, prediction_totals, tokenize)
    references = _find_vanished(samples.references, reference_totals, tokenize)
    if not predictions and not references:
        return
    owners = samples.offsets.searchsorted(list(references), side="right") - 1
    concerned = len({*predictions, *owners.tolist()})
    looked_at = [*predictions.values(), *references.values()][:_LOOKED_AT]
    words_left = sum(map(bool, map(tokenize_unicode, looked_at)))
    remedy = (
        f"use {option}='unicode', which finds the words of every language"
        if 2 * words_left >= len(looked_at)
        else f"use {option}='char' if characters that are no letters or digits are to count"
    )
    name = f"{choice!r} tokenizer" if isinstance(choice, str) else f"callable given as {option}"
    count = len(samples.predictions)
    warnings.warn(
        f"The {name} leaves nothing of the prediction or of a reference in {concerned:,} of "
        f"{count:,} samples ({100 * concerned / count:.3g}%), so that nothing there can match; "
        f"{remedy}.",
        UserWarning,
        stacklevel=stacklevel + 1,
    )


def _find_vanished(
    texts: Texts, totals: NDArray[Any], tokenize: Callable[[str], list[str]]
) -> dict[int, str]:
    """The texts that are not blank and have no token, by index."""
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


def warn_if_sentences_share_lines(
    samples: Samples, split_sentences: SentenceSplitter, *, stacklevel: int = 2
) -> None:
    """Warns where ``rougeLsum`` would take texts of several sentences for one sentence each.

    That is where sentences are split at newlines, at least half of the first 64 samples have
    several sentences in the prediction or the first reference, and no text has a newline.

    Args:
        samples: all that are scored, with ``rougeLsum`` among the types.
        split_sentences: the splitter in use.
        stacklevel: 2 for a warning at the line of the caller, as in ``warnings.warn``.
    """
    if split_sentences is not split_newline:
        return
    looked_at = samples.select(0, _LOOKED_AT)
    several = 0
    for prediction, references in looked_at.by_sample():
        pair = (prediction, references[0])
        if any("\n" in text for text in pair):
            return
        several += any(map(_SENTENCE_END.search, pair))
    if 2 * several < len(looked_at.predictions):
        return
    if _has_newline(samples.predictions) or _has_newline(samples.references):
        return
    warnings.warn(
        "rougeLsum takes one sentence a line, but no text has a newline, and "
        f"{several} of the first {len(looked_at.predictions)} samples have several sentences: it "
        "equals rougeL here. Put a newline between sentences, or use sentence_splitter='punkt' "
        "or 'pysbd'.",
        UserWarning,
        stacklevel=stacklevel + 1,
    )


def _has_newline(texts: Texts) -> bool:
    """Whether any of the texts has a newline."""
    if is_arrow(texts):
        import pyarrow.compute as pc

        return bool(pc.any(pc.match_substring(texts, "\n")).as_py())
    return any("\n" in text for text in texts)
