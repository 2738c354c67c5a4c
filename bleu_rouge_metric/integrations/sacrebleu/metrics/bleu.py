"""The class ``BLEU`` of ``sacrebleu.metrics.bleu``."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Final

from ....families.bleu.formula import make_statistics
from ....families.bleu.rows import score_rows
from ....families.bleu.rules import BleuRules
from ....families.bleu.statistics import prepare_reference_length
from ....resampling.sacrebleu import resample_scores
from ....text.tokenizer import lower_texts
from ..checks import check_corpus, check_sentence
from ..records import choose_tokenizer, warn_of_effective_order, warn_of_tokens
from ..segments import (
    Segments,
    check_texts,
    count_segments,
    count_without_references,
    read_segments,
)
from ..tokenizers import DEFAULT_NAME, NAMES, NamedTokenizer, adapt_tokenizer, make_pairs
from .scores import (
    SMOOTH_DEFAULTS,
    BLEUScore,
    BLEUSignature,
    check_counts,
    make_rules,
    score_counts,
)

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]

MAX_NGRAM_ORDER: Final = 4


class BLEU:
    """BLEU of a corpus or of one sample; references are streams, one per reference of a segment.

    >>> metric = BLEU(lowercase=True)
    >>> score = metric.corpus_score(["The cat sat here"], [["the cat sat there"]])
    >>> score.counts, score.totals, round(score.score, 4)
    ([3, 2, 1, 0], [4, 3, 2, 1], 59.4604)
    >>> metric.get_signature()
    nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = SMOOTH_DEFAULTS
    TOKENIZERS: ClassVar[Sequence[str]] = NAMES
    TOKENIZER_DEFAULT: ClassVar[str] = DEFAULT_NAME

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Check the options, and load the tokenizer.

        Args:
            lowercase: whether texts are converted to lower case.
            force: whether hypotheses may look tokenized without a warning.
            tokenize: a name of ``TOKENIZERS``; None for that of the language, or ``13a``.
            smooth_method: ``none``, ``floor``, ``add-k`` or ``exp``.
            smooth_value: value of ``floor`` and ``add-k``; None for the default.
            max_ngram_order: the longest n-gram, at least 1.
            effective_order: whether orders are left out for which no hypothesis is long enough.
            trg_lang: language of the texts, ``zh``, ``ja`` or ``ko``; any other has no effect.
            references: streams for all later calls without references.

        Raises:
            AssertionError: the smoothing is unknown.
            KeyError: the tokenizer is unknown.
            ImportError: what the tokenizer needs is not installed.
            TypeError: the order is not an integer.
            ValueError: the order is below 1, the value of the smoothing is below 0, or the model of
                the tokenizer cannot be loaded.
        """
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._force = force
        self._ref_cache: Segments | None = None
        self._make_rules()
        name = choose_tokenizer(tokenize, trg_lang, self.TOKENIZER_DEFAULT)
        self.tokenizer: Any = NamedTokenizer(name)
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._read(references)

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]] | None,
        n_bootstrap: int = 1,
    ) -> BLEUScore:
        """Compute BLEU of all segments together.

        Args:
            hypotheses: one text per segment.
            references: streams of one reference per segment, of which some may be None; or None for
                those of the metric.
            n_bootstrap: resamples for the mean and the interval of the score; 1 for none.

        Raises:
            TypeError: an argument, or its first item, has a wrong type.
            IndexError: an argument is empty.
            RuntimeError: there are no references.
            AttributeError: a text is not a str.
        """
        check_corpus(type(self).__name__, hypotheses, references)
        segments = self._find_segments(references)
        rules = self._make_rules()
        tokenizer = adapt_tokenizer(self.tokenizer)
        if self.lowercase:
            tokenizer = lower_texts(tokenizer)
        columns = count_segments(hypotheses, segments, tokenizer, rules)
        if not self._force:
            warn_of_tokens(hypotheses[: len(segments.rows)])
        score = _score_sum(columns.sum(axis=0).tolist(), rules)
        if n_bootstrap > 1:
            self.n_bootstrap = n_bootstrap
            # Parity: the seed of the environment, as text.
            self.seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
            seed = None if self.seed == "none" else int(self.seed)
            (scores,) = resample_scores(
                [columns], partial(score_rows, rules=rules), n_bootstrap, seed
            )
            score._store_interval(scores.tolist())  # noqa: SLF001 - ours
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Compute BLEU of one segment.

        Args:
            hypothesis: a text.
            references: of the segment; some may be None.

        Raises:
            TypeError: an argument, or the first reference, has a wrong type.
            IndexError: there is no reference.
            AttributeError: a reference is not a str.
        """
        if not self.effective_order:
            warn_of_effective_order()
        check_sentence(type(self).__name__, hypothesis, references)
        # Fast path: equals corpus_score of one segment, in a tenth of the time.
        texts = [text for text in references if text is not None]
        check_texts("references", texts)
        self.num_refs = len(texts)
        rules = self._make_rules()
        order = rules.max_order
        numbers = make_pairs(self.tokenizer, order).count(
            self._prepare(hypothesis), [self._prepare(text) for text in texts] or [""]
        )
        length, lengths = numbers[order], numbers[order + 1 :]
        if texts:
            reference_length = int(prepare_reference_length(rules)(length, lengths))
        else:
            reference_length = count_without_references(0, length)
        statistics = make_statistics(numbers[:order], length, reference_length, rules)
        return score_counts(statistics.matches, statistics.totals, length, reference_length, rules)

    def get_signature(self) -> BLEUSignature:
        """Return what the last score depends on.

        Raises:
            ValueError: nothing was scored yet.
        """
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
        """Compute BLEU of sums of counts, which are not changed.

        sacrebleu also scores some numbers that no texts have, such as n-grams of order 3 without
        any of order 2; here they are an error.

        Args:
            correct: matches of each order.
            total: n-grams of each order.
            sys_len: tokens of the hypotheses.
            ref_len: tokens of the closest references.
            smooth_method: as for the class.
            smooth_value: as for the class.
            effective_order: as for the class.
            max_ngram_order: as for the class.

        Raises:
            AssertionError: the smoothing is unknown.
            TypeError: the order is not an integer.
            ValueError: no texts have these numbers, the order is below 1, or the value of the
                smoothing is below 0.

        >>> round(BLEU.compute_bleu([4, 3], [4, 3], 4, 5, max_ngram_order=2).score, 2)
        77.88
        """
        rules = make_rules(smooth_method, smooth_value, max_ngram_order, effective_order)
        check_counts(correct, total, sys_len, rules.max_order)
        return score_counts(correct, total, sys_len, ref_len, rules)

    def _make_rules(self) -> BleuRules:
        # The attributes may have changed since the last call.
        return make_rules(
            self.smooth_method, self.smooth_value, self.max_ngram_order, self.effective_order
        )

    def _find_segments(self, references: Sequence[Sequence[str]] | None) -> Segments:
        if references:
            return self._read(references)
        if self._ref_cache is None or not self._ref_cache.rows:
            # Parity: the text of the error is that of sacrebleu.
            raise RuntimeError("No references provided and the cache is empty.")
        return self._ref_cache

    def _read(self, references: Sequence[Sequence[str]]) -> Segments:
        segments = read_segments(references)
        self.num_refs = segments.num_refs
        return segments

    def _prepare(self, text: str) -> str:
        # Parity: as BleuCounting.prepare.
        return (text.lower() if self.lowercase else text).rstrip()


def _score_sum(sums: list[int], rules: BleuRules) -> BLEUScore:
    """Compute BLEU of the sums of the columns of ``count_segments``."""
    order = rules.max_order
    length, reference_length, *numbers = sums
    matches, totals = numbers[:order], [length, *numbers[order : 2 * order - 1]]
    return score_counts(matches, totals, length, reference_length, rules)
