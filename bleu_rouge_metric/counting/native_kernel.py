"""The compiled kernel, with the same functions as ``python_kernel``.

The kernel reads texts from memory: the UTF-8 of a str, or the buffers of a pyarrow column. It has
most named tokenizers. Tokens of other tokenizers and of callables are passed to it as integer ids.

The kernel counts without the GIL, on as many threads as ``threads.count_threads`` says. The results
do not depend on the number of threads. A signal whose handler raises, such as Ctrl-C, stops it
within 0.1 s.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..samples.inputs import Samples
from ..text.sentences import SentenceSplitter, Split
from ..text.tokenizer import Tokenize, Tokenizer
from .id_columns import flatten_ids
from .native_tokenizers import find_tokenization, takes_lines
from .rouge_types import RougePlan
from .threads import count_threads
from .weighted_lcs import run_values

if TYPE_CHECKING:
    import bleu_rouge_kernel

import_error: ImportError | None = None
try:
    import bleu_rouge_kernel
except ImportError as error:
    import_error = error

# The version of the compiled module that this file needs; bindings.cpp has the same number.
VERSION: Final = 9

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
PairCount = Callable[[str, list[str]], list[int] | None]

# How many samples Python tokenizes before they are counted; this bounds the memory for their ids.
_SLICE: Final = 1024

# The longest n-gram of a ``BleuPair``, ``kMostOrder``; batches have no bound.
_MOST_PAIR_ORDER: Final = 1024


def installed_version() -> int:
    """Return the version of the installed compiled module."""
    return int(getattr(bleu_rouge_kernel, "VERSION", 0))


def count_bleu(samples: Samples, max_order: int, tokenizer: Tokenizer) -> tuple[Ints, Ints, Ints]:
    """Count as ``python_kernel.count_bleu`` does."""
    tokenization = find_tokenization(tokenizer)
    threads = count_threads()
    matches = np.empty((len(samples.predictions), max_order), dtype=np.int64)
    prediction_lengths = np.empty(len(samples.predictions), dtype=np.int64)
    reference_lengths = np.empty(len(samples.references), dtype=np.int64)
    if tokenization is not None:
        bleu_rouge_kernel.count_bleu(
            make_text_column(samples.predictions),
            make_text_column(samples.references),
            samples.offsets,
            tokenization,
            threads,
            matches,
            prediction_lengths,
            reference_lengths,
        )
        return matches, prediction_lengths, reference_lengths
    for start in range(0, len(samples.predictions), _SLICE):
        part = samples.select(start, start + _SLICE)
        stop = start + len(part.predictions)
        first = int(samples.offsets[start])
        predictions, references = _make_id_columns(part, tokenizer, None)
        bleu_rouge_kernel.count_bleu(
            predictions,
            references,
            part.offsets,
            threads,
            matches[start:stop],
            prediction_lengths[start:stop],
            reference_lengths[first : first + len(part.references)],
        )
    return matches, prediction_lengths, reference_lengths


def count_rouge(
    samples: Samples, plan: RougePlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> tuple[Ints, Floats]:
    """Count as ``python_kernel.count_rouge`` does."""
    tokenization = find_tokenization(tokenizer)
    threads = count_threads()
    kernel_plan = make_plan(plan)
    counts = np.empty((len(samples.references), plan.columns, 3), dtype=np.int64)
    weighted = np.empty((len(samples.references), len(plan.weights), 3))
    if tokenization is not None and (
        not plan.needs_sentences or takes_lines(split_sentences, tokenizer)
    ):
        bleu_rouge_kernel.count_rouge(
            make_text_column(samples.predictions),
            make_text_column(samples.references),
            samples.offsets,
            tokenization,
            kernel_plan,
            threads,
            counts,
            weighted,
        )
        return counts, weighted
    for start in range(0, len(samples.predictions), _SLICE):
        part = samples.select(start, start + _SLICE)
        first = int(samples.offsets[start])
        stop = first + len(part.references)
        predictions, references = _make_id_columns(
            part, tokenizer, split_sentences.function if plan.needs_sentences else None
        )
        bleu_rouge_kernel.count_rouge(
            predictions,
            references,
            part.offsets,
            kernel_plan,
            threads,
            counts[first:stop],
            weighted[first:stop],
        )
    return counts, weighted


def make_bleu_pair(tokenizer: Tokenizer, max_order: int) -> "PairCount | None":
    """Make a function that counts one pair, which keeps its memory for the next.

    Returns:
        A function from a prediction and its references to the matches of each order, the length of
        the prediction and that of each reference; or to None if the texts are long. None if the
        kernel does not have the tokenizer, or counts pairs of fewer orders only.
    """
    tokenization = find_tokenization(tokenizer)
    if tokenization is None or max_order > _MOST_PAIR_ORDER:
        return None
    return bleu_rouge_kernel.BleuPair(tokenization, max_order).count


def make_rouge_pair(
    plan: RougePlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> "PairCount | None":
    """Make a function that counts one pair, as :func:`make_bleu_pair`.

    Returns:
        A function to the hits and both totals of each reference and column of the plan, which has
        no weights; or None.
    """
    tokenization = find_tokenization(tokenizer)
    if tokenization is None:
        return None
    if plan.needs_sentences and not takes_lines(split_sentences, tokenizer):
        return None
    return bleu_rouge_kernel.RougePair(tokenization, make_plan(plan)).count


@lru_cache(maxsize=16)
def make_plan(plan: RougePlan) -> "bleu_rouge_kernel.RougePlan":
    """Make the plan that the compiled kernel reads."""
    return bleu_rouge_kernel.RougePlan(
        orders=plan.orders,
        lcs=plan.lcs,
        summary=plan.summary,
        skip_distances=plan.skip_distances,
        unigrams_but_last=plan.unigrams_but_last,
        values=_stack_run_values(plan.weights),
        lin2004=plan.lin2004,
        once=plan.once,
        pairs=plan.pairs,
    )


def _stack_run_values(weights: tuple[float, ...]) -> Floats:
    """Return the values of runs, shape (weights, lengths); half a megabyte per weight."""
    if not weights:
        return np.empty((0, 0))
    return np.array([run_values(weight) for weight in weights])


def make_text_column(texts: Any) -> "bleu_rouge_kernel.TextColumn":
    """Make the column of texts that the kernel reads; texts that are UTF-8 are not copied.

    Args:
        texts: list of str, or a pyarrow array or chunked array of strings without nulls.

    Raises:
        TypeError: an item of the list is not a str.
        ValueError: an item of the array is null, or a text has 2 GiB or more.
    """
    if isinstance(texts, list):
        # Fast path: equals an Arrow array of the texts. pyarrow.array copies them in 50 ns per text
        # and imports pandas first; reading the list takes 5 ns per text.
        return bleu_rouge_kernel.TextColumn(texts)
    chunks = getattr(texts, "chunks", [texts])
    return bleu_rouge_kernel.TextColumn.of_arrow([_read_arrow(chunk) for chunk in chunks])


def _read_arrow(chunk: Any) -> tuple[NDArray[np.uint8], NDArray[Any]]:
    """Return the bytes of a pyarrow array, and the offsets of its texts."""
    if str(chunk.type) not in ("string", "large_string"):
        chunk = chunk.cast("large_string")
    if chunk.null_count:
        raise ValueError(
            f"An array of texts has {chunk.null_count} nulls; expected a text in every place. "
            'Drop the samples, or give the empty text "" to score them 0.'
        )
    width = np.int32 if str(chunk.type) == "string" else np.int64
    if len(chunk) == 0:  # it may have no buffers
        return np.empty(0, dtype=np.uint8), np.zeros(1, dtype=width)
    _, offsets, data = chunk.buffers()
    return (
        np.frombuffer(data, dtype=np.uint8) if data else np.empty(0, dtype=np.uint8),
        np.frombuffer(offsets, dtype=width)[chunk.offset : chunk.offset + len(chunk) + 1],
    )


class IdTexts:
    """Token ids of texts, collected text by text."""

    def __init__(self, ids: dict[str, int]) -> None:
        self._ids = ids
        self._tokens: list[int] = []
        self._bounds = [0]
        self._sentence_tokens: list[int] = []
        self._sentence_bounds = [0]
        self._ends: list[int] = []
        self._ends_bounds = [0]

    def add(
        self, text: str, tokenize: Tokenize, split: Split | None, tokenize_sentence: Tokenize
    ) -> None:
        """Add the tokens of a text and, with ``split``, of its sentences."""
        tokens = tokenize(text)
        self._tokens += self._intern(tokens)
        self._bounds.append(len(self._tokens))
        if split is None:
            return
        sentences = split(text)
        is_one = tokenize_sentence is tokenize and sentences == [text]
        parts = [tokens] if is_one else [tokenize_sentence(sentence) for sentence in sentences]
        self._sentence_tokens += self._intern(chain.from_iterable(parts))
        self._sentence_bounds.append(len(self._sentence_tokens))
        self._ends += np.cumsum([len(part) for part in parts], dtype=np.int64).tolist()
        self._ends_bounds.append(len(self._ends))

    def column(self) -> "bleu_rouge_kernel.IdColumn":
        """Return the column that the compiled kernel reads."""
        has_sentences = len(self._sentence_bounds) == len(self._bounds)
        return bleu_rouge_kernel.IdColumn(
            *(np.array(items, dtype=np.int64) for items in (self._tokens, self._bounds)),
            *(
                np.array(items if has_sentences else [], dtype=np.int64)
                for items in (
                    self._sentence_tokens,
                    self._sentence_bounds,
                    self._ends,
                    self._ends_bounds,
                )
            ),
        )

    def _intern(self, tokens: "chain[str] | list[str]") -> list[int]:
        ids = self._ids
        return [ids.setdefault(token, len(ids)) for token in tokens]


def _make_id_columns(
    samples: Samples, tokenizer: Tokenizer, split: Split | None
) -> "tuple[bleu_rouge_kernel.IdColumn, bleu_rouge_kernel.IdColumn]":
    """Make columns of the token ids of texts and, with ``split``, of their sentences."""
    if samples.are_ids:
        # Fast path: equals the loop below, in a tenth of the time.
        sides: tuple[Any, Any] = samples.predictions, samples.references
        first, second = (
            flatten_ids(side, tokenizer.separator, wants_sentences=split is not None)
            for side in sides
        )
        return bleu_rouge_kernel.IdColumn(*first), bleu_rouge_kernel.IdColumn(*second)
    add = prepare_adding(tokenizer, split)
    ids: dict[str, int] = {}
    predictions = IdTexts(ids)
    references = IdTexts(ids)
    for prediction, sample_references in samples.by_sample():
        add(predictions, prediction)
        for reference in sample_references:
            add(references, reference)
    return predictions.column(), references.column()


def prepare_adding(tokenizer: Tokenizer, split: Split | None) -> Callable[[IdTexts, str], None]:
    """Return a function that adds the ids of a text and, with ``split``, of its sentences."""
    tokenize = tokenizer.function
    tokenize_sentence = (tokenizer.of_sentences or tokenizer).function
    return lambda texts, text: texts.add(text, tokenize, split, tokenize_sentence)
