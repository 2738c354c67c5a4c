"""The class ``BLEU`` of ``sacrebleu.metrics``, its score and its signature."""

import json
import os
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final

from ...counting.pairs import make_sample
from ...families.bleu.rules import BleuRules
from ...families.bleu.score import describe_statistics, format_details, format_precisions
from ...families.bleu.statistics import make_statistics
from ...options.options import Options
from ...options.sacrebleu_signature import SACREBLEU_VERSION, name_smoothing
from ...options.sacrebleu_signature import name_tokenizer as name_in_signature
from ...resampling.sacrebleu import find_half_width, resample_scores
from ...samples.inputs import check_pair, check_samples
from ...scoring.counting import count_samples
from ...text.tokenizer_choice import resolve_tokenizer

__all__ = ["BLEU", "SACREBLEU_VERSION", "BLEUScore", "BLEUSignature"]

_BLEU: Final = ("bleu",)
_LANGUAGES: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
# The short names of a signature; those of other items are themselves.
_SHORT: Final = {"version": "v", "nrefs": "#", "seed": "rs", "case": "c", "eff": "e", "smooth": "s"}


class BLEUScore:
    """BLEU, and what it was computed from; after resampling with a mean and an interval."""

    name = "BLEU"

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
        self.score, self.counts, self.totals, self.precisions = score, counts, totals, precisions
        self.bp, self.sys_len, self.ref_len = bp, sys_len, ref_len
        self.prec_str = format_precisions(precisions)
        # Parity: the int 0 if there is no reference token; -1 if nothing was resampled.
        self.ratio = sys_len / ref_len if ref_len else 0
        self._mean = self._ci = -1.0
        self._verbose = format_details(self.prec_str, bp, self.ratio, sys_len, ref_len)

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """Return the score as text; JSON needs a signature, items ``name:value`` joined by ``|``."""
        number = f"{self.score:.{width}f}"
        facts: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        # Parity: a mean of 0 is not shown.
        if self._mean > 0:
            mean, half_width = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            facts |= {"confidence_mean": float(mean), "confidence_var": float(half_width)}
            facts["confidence"] = f"μ = {mean} ± {half_width}"
            number += f" ({facts['confidence']})"
        if score_only:
            return number
        if is_json:
            facts["verbose_score"] = self._verbose
            facts.update(item.partition(":")[::2] for item in signature.split("|"))
            return json.dumps(facts, indent=1, ensure_ascii=False)
        return f"{self.name}{signature and '|'}{signature} = {number} {self._verbose}"

    __repr__ = __str__ = format


class BLEUSignature:
    """What a score depends on: ``info``, and its text."""

    def __init__(self, info: dict[str, Any]) -> None:
        self.info = info

    def format(self, short: bool = False) -> str:
        """Return the items as one text, the version last; None is left out."""
        items = sorted(self.info.items(), key=lambda item: item[0] == "version")
        return "|".join(
            f"{_SHORT.get(name, name) if short else name}:{value}"
            for name, value in items
            if value is not None
        )

    __repr__ = __str__ = format


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
        **dict.fromkeys(("none",)),
        **{name: BleuRules(smooth=name).parameter for name in ("floor", "add-k")},
        **dict.fromkeys(("exp",)),
    }
    TOKENIZERS: ClassVar[Sequence[str]] = (
        *("none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab"),
        *("spm", "flores101", "flores200", "spBLEU-1K"),
    )
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,  # noqa: ARG002 - hides a warning there
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
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
        """
        name = tokenize or _LANGUAGES.get(trg_lang, self.TOKENIZER_DEFAULT)
        takes_value = self.SMOOTH_DEFAULTS.get(smooth_method) is not None
        self._options = Options(
            profile="sacrebleu",
            bleu_tokenizer=name,
            lowercase=bool(lowercase),
            smooth=smooth_method,
            smooth_value=smooth_value if takes_value else None,
            max_order=max_ngram_order,
            effective_order=bool(effective_order),
        )
        self.tokenizer: Callable[[str], str] = partial(_tokenize, name)
        self._value = smooth_value
        self._drawn: tuple[int | None, str | None] = (None, None)
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
        """
        rows = self._read(references) if references else self._rows
        # Parity: the longer of hypotheses and references is cut to the shorter one.
        size = min(len(hypotheses), len(rows))
        plan = self._options.plan(_BLEU)
        counts = count_samples(check_samples(list(hypotheses[:size]), rows[:size]), plan)
        scoring: Any = plan.scores["bleu"]
        score = _make_score(scoring.score(counts, plan.output, 0), scoring.rules)
        if n_bootstrap > 1:
            # Parity: the seed of the environment, as text.
            seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
            self._drawn = n_bootstrap, seed
            columns, score_rows = scoring.sums(counts)["bleu"].statistic[:2]
            number = None if seed == "none" else int(seed)
            (scores,) = resample_scores([columns], score_rows, n_bootstrap, number)
            ordered = sorted(scores.tolist())
            # Parity: statistics.mean is exact, and differs from NumPy's mean in the last bit.
            score._mean, score._ci = statistics.mean(ordered), find_half_width(ordered)  # noqa: SLF001
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """Compute BLEU of one segment; some of its references may be None."""
        texts = [text for text in references if text is not None]
        self.num_refs = len(texts)
        check_pair(hypothesis, texts)
        plan = self._options.plan(_BLEU)
        scoring: Any = plan.scores["bleu"]
        score = self._options.keep("sacrebleu", lambda: scoring.pair_result(plan.output))
        values = score(hypothesis, texts)
        if values is None:
            counts = count_samples(make_sample(hypothesis, texts), plan)
            values = scoring.score(counts, plan.output, 0)
        return _make_score(values, scoring.rules)

    def get_signature(self) -> BLEUSignature:
        """Return what the last score depends on; raise ValueError if nothing was scored yet."""
        if not hasattr(self, "num_refs"):
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        options, (n_bootstrap, seed) = self._options, self._drawn
        default = self.SMOOTH_DEFAULTS[options.smooth]
        value = default if self._value is None else self._value
        return BLEUSignature({
            "version": SACREBLEU_VERSION,
            # Parity: -1 stands for samples with different numbers of references.
            "nrefs": "var" if self.num_refs == -1 else self.num_refs,
            "bs": n_bootstrap,
            "ar": None,
            "seed": seed,
            **dict.fromkeys(("test", "lang", "origlang", "subset")),
            "case": "lc" if options.lowercase else "mixed",
            "eff": "yes" if options.effective_order else "no",
            "tok": name_in_signature(options.bleu_tokenizer),
            "smooth": name_smoothing(options.smooth, value or 0),
        })  # fmt: skip

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """Compute BLEU of sums of counts, which are not changed.

        >>> round(BLEU.compute_bleu([4, 3], [4, 3], 4, 5, max_ngram_order=2).score, 2)
        77.88
        """
        rules = BleuRules(
            "sacrebleu",
            max_ngram_order,
            smooth=smooth_method,
            smooth_value=smooth_value,
            effective_order=bool(effective_order),
        )
        found = make_statistics(correct, sys_len, ref_len, rules)
        found = found._replace(totals=list(total), denominators=list(total))
        return _make_score(describe_statistics(found, rules), rules)

    def _read(self, streams: Sequence[Sequence[str | None]]) -> list[list[str]]:
        """Return the references of each segment."""
        # Parity: longer streams are cut to the shortest one.
        rows = [[text for text in row if text is not None] for row in zip(*streams, strict=False)]
        numbers = set(map(len, rows))
        self.num_refs = numbers.pop() if len(numbers) == 1 else -1
        return rows


def _tokenize(name: str, line: str) -> str:
    """Return the tokens of a line, with a space between two."""
    # Parity: these two keep white space, which is split later.
    if name in ("none", "char"):
        return line if name == "none" else " ".join(line)
    return " ".join(resolve_tokenizer("tokenize", name)(line))


def _make_score(values: dict[str, Any], rules: BleuRules) -> BLEUScore:
    """Return the score of what BLEU returns."""
    counts, totals = [*values["counts"]], [*values["totals"]]
    if rules.smooth == "add-k" and counts[0]:
        # Parity: compute_bleu adds k to the counts that it returns, up to an order without n-grams.
        for order in range(1, rules.max_order):
            counts[order] += rules.parameter
            totals[order] += rules.parameter
            if not totals[order]:
                break
    return BLEUScore(**{**values, "counts": counts, "totals": totals})
