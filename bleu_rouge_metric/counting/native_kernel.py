"""The compiled kernel, with the same functions as ``python_kernel``.

The kernel reads texts from memory: the UTF-8 of a str, or the buffers of a pyarrow column. It has
most named tokenizers. Tokens of other tokenizers and of callables are passed to it as integer ids.
It keeps the tokens of a pool of texts, so that each text is tokenized once.

The kernel counts without the GIL, on as many threads as ``threads.count_threads`` says. The results
do not depend on the number of threads. A signal whose handler raises, such as Ctrl-C, stops it
within 0.1 s.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..arrays import to_offsets
from ..text.sentences import SentenceSplitter
from ..text.steps import Truncation, WordForms
from ..text.tokenizer import Tokenizer
from ..text.unicode import VERSIONS, has_gaps
from ..text.warnings import warn_caller
from .pools import Batch, Ints, Nearest, Pool, PoolPairs, ScoreTable
from .rouge_types import CountPlan
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
VERSION: Final = 11

Floats = NDArray[np.float64]
PairCount = Callable[[str, list[str]], list[int] | None]

# How many samples Python tokenizes before they are counted; this bounds the memory for their ids.
_SLICE: Final = 1024
# Number of texts of a pool that the kernel reads at once; a signal waits until they are read.
_POOL_SLICE: Final = 1 << 14


def installed_version() -> int:
    """Return the version of the installed compiled module."""
    return int(getattr(bleu_rouge_kernel, "VERSION", 0))


def count(
    samples: Batch, plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> tuple[Ints, Floats]:
    """Count as ``python_kernel.count`` does."""
    threads, kernel_plan = count_threads(), make_plan(plan)
    counts = np.empty((samples.n_pairs, plan.columns, 3), dtype=np.int64)
    weighted = np.empty((samples.n_pairs, len(plan.weights), 3))
    if isinstance(samples, PoolPairs):
        pool = _encode(samples.pool, plan, tokenizer, split_sentences)
        bleu_rouge_kernel.count_pool(pool, *samples[1:], kernel_plan, threads, counts, weighted)
        return counts, weighted
    split = split_sentences if plan.needs_sentences else None
    tokenization = find_tokenization(tokenizer, split)
    if tokenization is not None:
        bleu_rouge_kernel.count(
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
        ids: dict[str, int] = {}
        texts, others = zip(*part.by_sample(), strict=True)
        predictions, references = (
            _make_id_column(side, tokenizer, split, ids, are_ids=samples.are_ids)
            for side in (texts, [*chain.from_iterable(others)])
        )
        first = int(samples.offsets[start])
        pairs = slice(first, first + len(part.references))
        bleu_rouge_kernel.count(
            predictions,
            references,
            part.offsets,
            kernel_plan,
            threads,
            counts[pairs],
            weighted[pairs],
        )
    return counts, weighted


def make_pair_counter(
    plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> PairCount | None:
    """Make a function that counts one pair, which keeps its memory for the next.

    It returns the numbers of ``pairs.py``, or None if the texts are long. None if the kernel does
    not have the tokenizer.
    """
    tokenization = find_tokenization(tokenizer, split_sentences if plan.needs_sentences else None)
    if tokenization is None:
        return None
    return bleu_rouge_kernel.PairCounter(tokenization, make_plan(plan)).count


def find_tokenization(
    tokenizer: Tokenizer, split: SentenceSplitter | None = None
) -> "bleu_rouge_kernel.Tokenization | None":
    """Return what the kernel tokenizes texts with; None if only Python has the tokenizer.

    The sentences that the kernel finds are lines; with another ``split``, None too. Warns, once in
    a process, if the kernel has the characters of another version of ``regex`` than the installed
    one.
    """
    name, truncation = tokenizer.kernel_name, tokenizer.truncation
    if name is None or (
        split is not None and not (split.takes_lines and split.truncation == truncation)
    ):
        return None
    if "regex" in tokenizer.tables and not _has_characters_of_regex(name):
        return None
    return _make_tokenization(
        name, tokenizer.lowercase, truncation or Truncation(), tokenizer.forms
    )


# Bound: a tokenization with forms keeps tables of up to 10 MB, for each thread that counted.
@lru_cache(maxsize=16)
def _make_tokenization(
    name: str,
    lowercase: bool,  # noqa: FBT001 - a key of the cache
    truncation: Truncation,
    forms: WordForms | None,
) -> "bleu_rouge_kernel.Tokenization":
    return bleu_rouge_kernel.Tokenization(
        name,
        lowercase,
        truncation.word_limit or 0,
        truncation.byte_limit or 0,
        None if forms is None else bleu_rouge_kernel.WordForms(lambda word: forms.apply([word])),
    )


@cache
def _has_characters_of_regex(name: str) -> bool:
    """Return whether the installed ``regex`` has the kernel's characters; warn once if not."""
    if has_gaps(bleu_rouge_kernel.BREAK_GAPS):
        return True
    warn_caller(
        f"The compiled kernel cannot be used for the tokenizer {name!r}: it was built with the "
        f"package regex {bleu_rouge_kernel.REGEX_VERSION}, and the installed regex "
        f"{VERSIONS['regex']()} has the characters of another version of Unicode. Texts are "
        "tokenized in Python, with the same scores, which takes longer."
    )
    return False


@lru_cache(maxsize=16)
def make_plan(plan: CountPlan) -> "bleu_rouge_kernel.CountPlan":
    """Make the plan that the compiled kernel reads."""
    fields = plan._asdict()
    weights = fields.pop("weights")
    # Half a megabyte per weight.
    values = np.array([*map(run_values, weights)]) if weights else np.empty((0, 0))
    return bleu_rouge_kernel.CountPlan(**fields, values=values)


def make_text_column(texts: Any) -> "bleu_rouge_kernel.TextColumn":
    """Make the column that the kernel reads of a list, or of a pyarrow array without nulls.

    Texts that are UTF-8 are not copied.
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


def _make_id_column(
    texts: Sequence[Any],
    tokenizer: Tokenizer,
    split: SentenceSplitter | None,
    ids: dict[str, int],
    *,
    are_ids: bool,
) -> "bleu_rouge_kernel.IdColumn":
    """Make a column of the token ids of texts and, with ``split``, of their sentences.

    New tokens are added to ``ids``. With ``are_ids`` the texts are sequences of ids, with
    ``tokenizer.separator`` between sentences.
    """
    if are_ids:
        # Fast path: equals the loop below, in a tenth of the time.
        return _flatten_ids(texts, tokenizer.separator, wants_sentences=split is not None)

    def intern(tokens: Iterable[str]) -> list[int]:
        return [ids.setdefault(token, len(ids)) for token in tokens]

    tokenize = tokenizer.function
    tokenize_sentence = (tokenizer.of_sentences or tokenizer).function
    tokens, bounds = list[int](), [0]
    sentence_tokens, sentence_bounds = list[int](), [0]
    ends, ends_bounds = list[int](), [0]
    for text in texts:
        words = tokenize(text)
        tokens += intern(words)
        bounds.append(len(tokens))
        if split is None:
            continue
        sentences = split.function(text)
        is_one = tokenize_sentence is tokenize and sentences == [text]
        parts = [words] if is_one else [tokenize_sentence(sentence) for sentence in sentences]
        sentence_tokens += intern(chain.from_iterable(parts))
        sentence_bounds.append(len(sentence_tokens))
        ends += np.cumsum([len(part) for part in parts], dtype=np.int64).tolist()
        ends_bounds.append(len(ends))
    of_sentences = sentence_tokens, sentence_bounds, ends, ends_bounds
    arrays = (tokens, bounds, *(of_sentences if split else ([], [], [], [])))
    return bleu_rouge_kernel.IdColumn(*(np.array(items, dtype=np.int64) for items in arrays))


def _flatten_ids(
    texts: Sequence[Sequence[int]], separator: int | None, *, wants_sentences: bool
) -> "bleu_rouge_kernel.IdColumn":
    """Make a column of sequences of ids of at least 0."""
    offsets = to_offsets(np.fromiter(map(len, texts), np.int64, len(texts)))
    ids = np.fromiter(chain.from_iterable(texts), np.int64, int(offsets[-1]))
    is_token = np.ones(len(ids), dtype=bool) if separator is None else ids != separator
    # The number of tokens before each position.
    before = to_offsets(is_token)
    bounds, tokens = before[offsets], ids[is_token]
    if not wants_sentences:
        return bleu_rouge_kernel.IdColumn(tokens, bounds, *[np.empty(0, dtype=np.int64)] * 4)
    # A sentence ends with the last token of its text, or with a token before a separator.
    is_last = np.append(~is_token[1:], True)
    is_last[offsets[1:][offsets[1:] > offsets[:-1]] - 1] = True
    ends = before[1:][is_token & is_last]
    owners = np.searchsorted(bounds, ends, side="left") - 1
    return bleu_rouge_kernel.IdColumn(
        tokens,
        bounds,
        tokens,
        bounds,
        ends - bounds[owners],
        to_offsets(np.bincount(owners, minlength=len(texts))),
    )


class _EncodedPool:
    """What the kernel made of the texts of a pool, with one tokenizer."""

    def __init__(self, tokenizer: Tokenizer, split: SentenceSplitter | None) -> None:
        self._tokenizer = tokenizer
        self._split = split
        tokenization = find_tokenization(tokenizer, split)
        self._takes_texts = tokenization is not None
        self.texts = bleu_rouge_kernel.TextPool(tokenization, split is not None)
        self._count = 0
        self._ids: dict[str, int] = {}

    def read(self, pool: Pool) -> "bleu_rouge_kernel.TextPool":
        """Add the texts that came into the pool since the last time, and return all."""
        # An interrupt may have left texts that are not counted here.
        self.texts.truncate(self._count)
        while self._count < len(pool.texts):
            part = pool.texts[self._count : self._count + _POOL_SLICE]
            self.texts.add(
                make_text_column(part)
                if self._takes_texts and not pool.are_ids
                else _make_id_column(
                    part, self._tokenizer, self._split, self._ids, are_ids=pool.are_ids
                )
            )
            self._count += len(part)
        return self.texts

    def truncate(self, count: int) -> None:
        """Remove all but the first texts."""
        self._count = min(self._count, count)
        self.texts.truncate(self._count)


def _encode(
    pool: Pool, plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
) -> "bleu_rouge_kernel.TextPool":
    """Return the encoded texts of a pool."""
    split = split_sentences if plan.needs_sentences else None
    return pool.keep(tokenizer, split, lambda: _EncodedPool(tokenizer, split)).read(pool)


class NativeIndex:
    """The compiled twin of ``python_kernel.PythonIndex``."""

    def __init__(
        self,
        pool: Pool,
        plan: CountPlan,
        tokenizer: Tokenizer,
        split_sentences: SentenceSplitter,
    ) -> None:
        self._read = partial(_encode, pool, plan, tokenizer, split_sentences)
        self._index = bleu_rouge_kernel.NearestIndex(self._read(), make_plan(plan))

    def add(self, texts: Ints, kinds: Ints) -> None:
        """Add candidates."""
        self._read()
        self._index.add(texts, kinds)

    def search(self, texts: Ints, kinds: Ints, table: ScoreTable, most: int) -> Nearest:
        """Find the nearest candidates of texts."""
        self._read()
        places = np.empty((len(texts), most), dtype=np.int64)
        found = Nearest(places, np.empty_like(places), np.empty(len(texts), dtype=np.int64))
        self._index.search(texts, kinds, *table, count_threads(), *found)
        return found
