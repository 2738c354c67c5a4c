"""The class ``BLEU`` of ``sacrebleu.metrics.bleu``, its score and its signature."""

import math
import os
from collections.abc import KeysView, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from ....checks import check_choice
from ....counting.kernels import count_bleu
from ....counting.pairs import BleuPairs
from ....families.bleu.statistics import find_closest_length
from ....families.coco_bleu import make_rows
from ....resampling.draws import Floats
from ....resampling.sacrebleu import resample_scores
from ....samples.inputs import check_pair, check_samples
from ....text.tokenizer import TOKENIZERS, Tokenizer
from ..tokenizers import BaseTokenizer, NamedTokenizer
from .base import Score, Signature

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]

MAX_NGRAM_ORDER: Final = 4

_TOKENIZERS: Final = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}
_LANGUAGES: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def _get_tokenizer(name: str) -> type[BaseTokenizer]:
    """Return the class of a tokenizer."""
    check_choice("tokenize", name, _TOKENIZERS)
    module, _, kind = _TOKENIZERS[name].partition(".")
    path = f"{__package__.rpartition('.')[0]}.tokenizers.{module}"
    found: type[BaseTokenizer] = getattr(import_module(path), kind)
    return found


class _Counter(NamedTuple):
    """A tokenizer as an object of sacrebleu and of this package, and what counts single samples."""

    tokenizer: BaseTokenizer
    compiled: Tokenizer
    pairs: BleuPairs


# Fast path: equals a new counter for each metric, which takes 5 µs. Bound: there are few names.
@lru_cache(maxsize=32)
def _prepare(name: str, order: int) -> _Counter:
    tokenizer = _get_tokenizer(name)()
    if isinstance(tokenizer, NamedTokenizer):
        compiled = TOKENIZERS[tokenizer.name]
    else:
        compiled = Tokenizer(name, lambda line: tokenizer(line).split())
    return _Counter(tokenizer, compiled, BleuPairs(compiled, order))


class BLEUSignature(Signature):
    """The signature of BLEU."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        smooth, value = args["smooth_method"], args["smooth_value"]
        if BLEU.SMOOTH_DEFAULTS[smooth] is not None:
            smooth += f"[{_find_value(smooth, value):.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smooth,
        }


class BLEUScore(Score):
    """BLEU, and what it was computed from; after resampling with a mean and an interval."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.counts, self.totals, self.precisions = counts, totals, precisions
        self.bp, self.sys_len, self.ref_len = bp, sys_len, ref_len
        # Parity: the int 0 if there is no reference token.
        self.ratio = sys_len / ref_len if ref_len else 0

    @property
    def prec_str(self) -> str:
        """The precisions as text."""
        return "/".join(f"{precision:.1f}" for precision in self.precisions)

    @property
    def _verbose(self) -> str:  # type: ignore[override]
        lengths = f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d}"
        return f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} {lengths})"


class BLEU:
    """BLEU of a corpus or of one sample; references are streams, one per reference of a segment.

    >>> metric = BLEU(lowercase=True)
    >>> score = metric.corpus_score(["The cat sat here"], [["the cat sat there"]])
    >>> score.counts, score.totals, round(score.score, 4)
    ([3, 2, 1, 0], [4, 3, 2, 1], 59.4604)
    >>> metric.get_signature()
    nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {
        "none": None,
        "floor": 0.1,
        "add-k": 1,
        "exp": None,
    }
    TOKENIZERS: ClassVar[KeysView[str]] = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,  # noqa: ARG002 - hides a warning there
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        """Check the options, and load the tokenizer.

        Args:
            lowercase: whether texts are converted to lower case.
            force: has no effect here.
            tokenize: a name of ``TOKENIZERS``; None for that of the language, or ``13a``.
            smooth_method: ``none``, ``floor``, ``add-k`` or ``exp``.
            smooth_value: value of ``floor`` and ``add-k``; None for the default.
            max_ngram_order: the longest n-gram, at least 1.
            effective_order: whether orders are left out for which no hypothesis is long enough.
            trg_lang: language of the texts, ``zh``, ``ja`` or ``ko``; any other has no effect.
            references: streams for all later calls without references.

        Raises:
            ValueError: an option has no such value.
            ImportError: the tokenizer comes from sacrebleu, which is not installed.
        """
        _find_value(smooth_method, smooth_value)
        if max_ngram_order < 1:
            raise ValueError(f"max_ngram_order is {max_ngram_order}; expected at least 1.")
        self.lowercase, self.trg_lang = lowercase, trg_lang
        self.smooth_method, self.smooth_value = smooth_method, smooth_value
        self.max_ngram_order, self.effective_order = max_ngram_order, effective_order
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._name = tokenize or _LANGUAGES.get(trg_lang, self.TOKENIZER_DEFAULT)
        self.tokenizer = _prepare(self._name, max_ngram_order).tokenizer
        self.tokenizer_signature = self.tokenizer.signature()
        self._rows = [] if references is None else self._read(references)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """Compute BLEU of all segments together.

        Args:
            hypotheses: one text per segment.
            references: streams of one reference per segment, of which some may be None; or None for
                those of the metric.
            n_bootstrap: resamples for the mean and the interval of the score; 1 for none.

        Raises:
            TypeError: a text is not a str.
            ValueError: there is no segment, or one has no reference.
        """
        rows = self._read(references) if references else self._rows
        if not rows:
            raise ValueError("There are no references; give them here, or to BLEU(references=…).")
        # Parity: the longer of hypotheses and references is cut to the shorter one.
        size = min(len(hypotheses), len(rows))
        samples = check_samples(list(hypotheses[:size]), rows[:size])
        sides: list[Any] = [samples.predictions, samples.references]
        predictions, others = ([self._clean(text) for text in side] for side in sides)
        samples = samples._replace(predictions=predictions, references=others)
        order = self.max_ngram_order
        counts = count_bleu(samples, order, _prepare(self._name, order).compiled)
        table = make_rows(counts, samples.offsets)
        score = self._score(table.sum(axis=0).tolist())
        if n_bootstrap > 1:
            # Parity: the seed of the environment, as text.
            self.n_bootstrap = n_bootstrap
            self.seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
            seed = None if self.seed == "none" else int(self.seed)
            scores = resample_scores([table], self._score_rows, n_bootstrap, seed)
            score._store_interval(scores[0].tolist())  # noqa: SLF001 - ours
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Compute BLEU of one segment; some of its references may be None."""
        texts = [text for text in references if text is not None]
        if not texts or {type(hypothesis), *map(type, texts)} != {str}:
            check_pair(hypothesis, references if isinstance(references, str) else texts)
        self.num_refs, order = len(texts), self.max_ngram_order
        numbers = _prepare(self._name, order).pairs.count(
            self._clean(hypothesis), list(map(self._clean, texts))
        )
        length, lengths = numbers[order], numbers[order + 1 :]
        row = [length, find_closest_length(length, lengths)]
        for start, matches in enumerate(numbers[:order]):
            row += (matches, max(length - start, 0))
        return self._score(row)

    def get_signature(self) -> BLEUSignature:
        """Return what the last score depends on; raise ValueError if nothing was scored yet."""
        return BLEUSignature(vars(self))

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Compute BLEU of sums of counts, which are not changed and may be any numbers.

        >>> round(BLEU.compute_bleu([4, 3], [4, 3], 4, 5, max_ngram_order=2).score, 2)
        77.88
        """
        value = _find_value(smooth_method, smooth_value)
        penalty = _penalise(sys_len, ref_len)
        matches: list[Any] = list(correct)
        ngrams: list[Any] = list(total)
        precisions = [0.0] * max_ngram_order
        if not any(matches):
            return BLEUScore(0.0, matches, ngrams, precisions, penalty, sys_len, ref_len)
        # What takes the place of no match.
        orders, share = max_ngram_order, value if smooth_method == "floor" else 0.0
        power = 1.0
        for order in range(max_ngram_order):
            if smooth_method == "add-k" and order:
                # Parity: the counts of the score are smoothed, up to an order without n-grams.
                matches[order] += value
                ngrams[order] += value
            if not ngrams[order]:
                break
            if effective_order:
                orders = order + 1
            if smooth_method == "exp" and not matches[order]:
                power /= 2
                share = power
            precisions[order] = 100.0 * (matches[order] or share) / ngrams[order]
        score = _average(precisions[:orders], penalty)
        return BLEUScore(score, matches, ngrams, precisions, penalty, sys_len, ref_len)

    def _score(self, row: Any) -> BLEUScore:
        """Return the score of both lengths, and the matches and n-grams of each order."""
        made = self.smooth_method, self.smooth_value, self.effective_order, self.max_ngram_order
        return self.compute_bleu(row[2::2], row[3::2], int(row[0]), int(row[1]), *made)

    def _score_rows(self, rows: Any) -> Floats:
        """Return the score of each row of sums in 32 bits, which decide its last digits."""
        # Fast path: equals _score of each row, in a third of the time.
        matches, totals = rows[:, 2::2].copy(), rows[:, 3::2].copy()
        has_match, value = matches.any(axis=1), _find_value(self.smooth_method, self.smooth_value)
        if self.smooth_method == "add-k":
            matches[:, 1:] += value
            totals[:, 1:] += value
        has_total, scaled = totals != 0, 100 * matches
        missing = (matches == 0) & has_total
        if self.smooth_method == "exp":
            scaled[missing] = (100.0 * 0.5 ** np.cumsum(missing, axis=1))[missing]
        elif self.smooth_method == "floor":
            scaled[missing] = 100.0 * value
        precisions = np.divide(scaled, totals, out=np.zeros_like(totals), where=has_total)
        orders = has_total.sum(axis=1) if self.effective_order else [len(totals[0])] * len(rows)
        lengths = rows[:, :2].astype(np.int64).tolist()
        each = zip(precisions.tolist(), orders, lengths, has_match, strict=True)
        return np.array([
            _average(own[:order], _penalise(*sides)) if any_match else 0.0
            for own, order, sides, any_match in each
        ])  # fmt: skip

    def _clean(self, text: str) -> str:
        return (text.lower() if self.lowercase else text).rstrip()

    def _read(self, streams: Sequence[Sequence[str | None]]) -> list[list[str]]:
        """Return the references of each segment."""
        # Parity: longer streams are cut to the shortest one.
        rows = [[text for text in row if text is not None] for row in zip(*streams, strict=False)]
        numbers = set(map(len, rows))
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return rows


def _find_value(method: str, value: float | None) -> Any:
    """Return the value of a smoothing."""
    if method not in BLEU.SMOOTH_DEFAULTS:
        check_choice("smooth_method", method, BLEU.SMOOTH_DEFAULTS)
    return BLEU.SMOOTH_DEFAULTS[method] if value is None else value


def _penalise(sys_len: int, ref_len: int) -> float:
    """Return the brevity penalty."""
    if sys_len >= ref_len:
        return 1.0
    return math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0


def _average(precisions: Sequence[float], penalty: float) -> float:
    """Return the geometric mean of precisions, multiplied by the penalty."""
    # Parity: sacrebleu's my_log returns -9999999999 for 0. From Python 3.12 on, sum() is
    # compensated, there as here.
    logarithms = [math.log(one) if one else -9999999999.0 for one in precisions]
    return penalty * math.exp(sum(logarithms) / len(logarithms))
