"""Options of the metric: their names, defaults and meaning.

One place for ``metric.compute``, ``bleu_score``, ``rouge_scores`` and the command, so that a bad
value is the same clear error everywhere, raised before any work. The checks of single values are
in ``option_checks.py``, the presets in ``profiles.py``.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields
from functools import cache, cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..bleu.rules import BleuRules, make_bleu_rules
from ..checks import check_flag
from ..counting.kernels import current_kernel
from ..counting.rouge_types import ROUGE_N, parse_rouge_type
from ..fork_locks import free_cached_properties
from ..options import checks
from ..rouge.formulas import RougeRules, make_rouge_rules
from ..samples.token_ids import IdRules, make_id_rules, to_ids
from ..text.rouge_pipeline import make_rouge_tokenizer, warn_of_stop_words
from ..text.sentences import SentenceSplitter, Split, resolve_sentence_splitter
from ..text.tokenizers import Tokenize, Tokenizer, resolve_tokenizer, uses_segmenter
from ..text.truncation import make_truncation
from ..text.warnings import warn_of_smoothing, warn_of_stemmer
from ..text.word_lists import read_exceptions, resolve_stop_words
from ..version import __version__
from .profiles import DEFAULTS, FAMILIES, Family, choose_families, find_profile, foreign_options
from .signature import ALWAYS_STATED, read_signature, write_signature

_FLAGS: Final = (
    *("auto_reweigh", "lowercase", "sentence_bleu", "use_aggregator", "detailed", "signature"),
)

# An option that is not given: its profile fills it in.
_BY_PROFILE: Any = None


@dataclass(frozen=True, kw_only=True)
class Options:
    """Checked options of one computation.

    Attributes:
        profile: the preset that the others were filled in from; a name of ``PROFILES``.
        max_order: longest n-gram of BLEU, from 1 to 100.
        min_order: shortest n-gram of ``google_bleu``.
        weights: of the orders of BLEU, which sum to 1; or several such sequences, for several
            scores. None weighs all orders alike.
        smooth: a name of ``bleu_rules.SMOOTHINGS``; True stands for ``add-one``, evaluate's, and
            False for ``none``.
        smooth_value: parameter of the smoothing; None for its library's default.
        reference_length: ``shortest``, ``closest``, ``average`` or ``longest``.
        effective_order: leave out orders that the prediction is too short for; None for the
            library's default (sacrebleu: for single sentences).
        auto_reweigh: as in NLTK, weigh alike the orders of a prediction below four tokens.
        lowercase: lower-case the texts for BLEU.
        sentence_bleu: add the BLEU of every sample.
        rouge_types: ``rouge1`` to ``rouge9``, ``rougeL``, ``rougeLsum``, ``rougeW-1.2``,
            ``rougeS4``, ``rougeSU4`` and the like; kept as a tuple without repetitions.
        use_stemmer: False, True (Porter), or the language of one of NLTK's Snowball stemmers.
        stemmer_exceptions: paths of WordNet ``.exc`` files, or of a folder of them.
        stop_words: words that ROUGE leaves out; a sequence, or the language of NLTK's list.
        word_limit: how many words of a text ROUGE reads; None for all.
        byte_limit: how many bytes of a text ROUGE reads; None for all.
        sentence_splitter: for ``rougeLsum``; a name or a callable.
        multi_reference: ``best``, ``best_recall``, ``micro``, ``mean`` or ``jackknife``.
        beta: weight of recall in the F-measure, above 0; ``math.inf`` for recall alone.
        use_aggregator: one score for all samples (True) or a list of one per sample.
        aggregator: ``mean``, or ``bootstrap`` for that of the reference.
        n_resamples: how many resamples are drawn, from 1 to 1,000,000.
        confidence: of the interval of ROUGE, above 0 and below 1; None for no interval.
        detailed: precision, recall and F-measure of ROUGE in place of the F-measure alone.
        tokenizer: name or callable for both families, where they have none of their own; kept as
            theirs.
        bleu_tokenizer: name or callable; ``13a`` where neither is given.
        rouge_tokenizer: name or callable; ``rouge`` where neither is given.
        segmenter: splits what the tokenizer ``unicode`` would split into characters.
        ignore_index: token id that stands for none; this and the next three are for the tokenizer
            ``ids``.
        pad: token id, or several, dropped wherever they stand.
        eos: token id, or several, that end a text.
        separator: token id between the sentences of ``rougeLsum``.
        signature: add the line that says how the scores were made.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range, or a name is unknown.
    """

    profile: str = "hf"
    tokenizer: str | Tokenize | None = None
    segmenter: Callable[[str], list[str]] | None = None
    bleu_tokenizer: str | Tokenize = _BY_PROFILE
    max_order: int = _BY_PROFILE
    min_order: int = _BY_PROFILE
    weights: Sequence[float] | Sequence[Sequence[float]] | None = None
    smooth: bool | str = _BY_PROFILE
    smooth_value: float | None = None
    reference_length: str = _BY_PROFILE
    effective_order: bool | None = None
    auto_reweigh: bool = _BY_PROFILE
    lowercase: bool = _BY_PROFILE
    sentence_bleu: bool = _BY_PROFILE
    rouge_types: Sequence[str] = _BY_PROFILE
    rouge_tokenizer: str | Tokenize = _BY_PROFILE
    use_stemmer: bool | str = _BY_PROFILE
    stemmer_exceptions: str | Sequence[str] | None = None
    stop_words: str | Sequence[str] | None = None
    word_limit: int | None = None
    byte_limit: int | None = None
    sentence_splitter: str | Split = _BY_PROFILE
    multi_reference: str = _BY_PROFILE
    beta: float = _BY_PROFILE
    use_aggregator: bool = _BY_PROFILE
    aggregator: str = _BY_PROFILE
    n_resamples: int = _BY_PROFILE
    confidence: float | None = None
    detailed: bool = _BY_PROFILE
    ignore_index: int = _BY_PROFILE
    pad: int | Sequence[int] | None = None
    eos: int | Sequence[int] | None = None
    separator: int | None = None
    signature: bool = _BY_PROFILE

    def __post_init__(self) -> None:
        self._fill_in()
        self._set_bleu_rules()
        checks.check_limit("word_limit", self.word_limit)
        checks.check_limit("byte_limit", self.byte_limit)
        self._set("stop_words", checks.to_words(self.stop_words))
        self._set("stemmer_exceptions", checks.to_paths(self.stemmer_exceptions))
        self._set("rouge_types", checks.check_rouge_types(self.rouge_types))
        for name in _FLAGS:
            check_flag(name, getattr(self, name))
        checks.check_aggregation(
            self.aggregator, self.n_resamples, self.confidence, is_one=self.use_aggregator
        )
        checks.check_stemmer(self.use_stemmer, self.stemmer_exceptions)
        for option in fields(self):
            # NumPy's numbers become Python's, ready for a signature.
            value = getattr(self, option.name)
            if isinstance(value, np.generic):
                self._set(option.name, value.item())
        if self.segmenter is not None:
            checks.check_segmenter((self.bleu_tokenizer, self.rouge_tokenizer))
        self._check_ids()
        self._set("beta", self.rouge_rules.beta)
        # Reading these properties checks what they are made from.
        _ = self.bleu_tokenize, self.rouge_tokenize, self.split_sentences
        # After all checks: options that are refused are not warned of before.
        warn_of_smoothing(self.smooth, self.max_order)
        warn_of_stemmer(self.use_stemmer, self.rouge_tokenizer)
        segmenter = self._segmenter_of(self.rouge_tokenizer)
        warn_of_stop_words(self.stop_words, self.rouge_tokenizer, segmenter)

    def _fill_in(self) -> None:
        """Gives every option that is not given the value of the profile."""
        shared = self.tokenizer
        if shared is not None:
            resolve_tokenizer("tokenizer", shared)
        for name, value in {**DEFAULTS, **find_profile(self.profile).presets}.items():
            if getattr(self, name) is None:
                # A tokenizer for both families goes before those of the profile.
                is_shared = shared is not None and name in ("bleu_tokenizer", "rouge_tokenizer")
                self._set(name, shared if is_shared else value)
        self._set("tokenizer", None)

    def __getstate__(self) -> dict[str, Any]:
        """The options alone: what was made from them may be no function of a module."""
        return {option.name: getattr(self, option.name) for option in fields(self)}

    def _set_bleu_rules(self) -> None:
        """Checks the options of BLEU's arithmetic, and keeps them as its rules have them."""
        rules = self.bleu_rules
        self._set("max_order", rules.max_order)
        self._set("smooth", rules.smooth)
        self._set("smooth_value", rules.smooth_value)
        self._set("effective_order", rules.effective_order)
        if rules.weights is not None:
            self._set("weights", rules.weights if len(rules.weights) > 1 else rules.weights[0])
        if find_profile(self.profile).bleu == "google_bleu":
            checks.check_range("max_order", self.max_order, 1, len(ROUGE_N))
        checks.check_range("min_order", self.min_order, 1, self.max_order)

    def _check_ids(self) -> None:
        """Checks the options of token ids, and those of texts that do not go with them."""
        for name in ("pad", "eos"):
            ids = to_ids(name, getattr(self, name))
            self._set(name, (ids if len(ids) > 1 else ids[0]) if ids else None)
        _ = self.id_rules
        checks.check_id_options(
            {option.name: getattr(self, option.name) for option in fields(self)}
        )

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    def from_keywords(
        cls, keywords: Mapping[str, Any], families: Sequence[Family] = FAMILIES
    ) -> "Options":
        """Options from keyword arguments; None stands for the value that the profile has.

        Args:
            keywords: by name.
            families: those that were asked for.

        Raises:
            TypeError: a keyword is no option of these families, or of the profile.
            ValueError: the profile has none of these families.
        """
        given = {name: value for name, value in keywords.items() if value is not None}
        names = cls.__dataclass_fields__
        for keyword in keywords:
            if keyword not in names:
                checks.raise_unknown(keyword, list(names))
        name = given.get("profile", "hf")
        families = choose_families(name, families)
        for keyword in keywords:
            checks.check_relevance(keyword, name, families)
        for keyword in given:
            if keyword in find_profile(name).ignored:
                raise TypeError(f"{keyword!r} means nothing to the profile {name!r}; leave it out.")
        # Fast path: equals cls(), which takes 40 µs, a tenth of the time of 100 pairs.
        return cls(**given) if given else _plain_options("hf")

    @classmethod
    def from_signature(cls, text: str, **keywords: Any) -> "Options":
        """The options that a signature names.

        Args:
            text: a line of ``signature`` or of ``compute(..., signature=True)``.
            **keywords: options that go before those of the line, such as functions, which a line
                can only name.

        Raises:
            TypeError: the text is no str, or a keyword is no option.
            ValueError: the line cannot be read.

        >>> Options.from_signature("profile:sacrebleu|smooth:floor|smooth_value:0.5").smooth_value
        0.5
        """
        given = {
            *keywords,
            *(("bleu_tokenizer", "rouge_tokenizer") if "tokenizer" in keywords else ()),
        }
        return cls.from_keywords({**read_signature(text, given), **keywords})

    def to_keywords(self, families: Sequence[Family] = FAMILIES) -> dict[str, Any]:
        """Keyword arguments of ``metric.compute`` that give these options again.

        Args:
            families: those that are asked for; the options of others are left out.

        >>> Options.from_signature("profile:sacrebleu|smooth:floor|smooth_value:1").to_keywords()
        {'profile': 'sacrebleu', 'smooth': 'floor', 'smooth_value': 1}
        """
        return {"profile": self.profile, **self._state(choose_families(self.profile, families))}

    def _state(self, families: Sequence[Family], always: AbstractSet[str] = frozenset()) -> Any:
        """Options of the families that are not as the profile has them, and those always stated."""
        plain = _plain_options(self.profile)
        left_out = {"profile", *foreign_options(families), *find_profile(self.profile).ignored}
        values = ((option.name, getattr(self, option.name)) for option in fields(self))
        return {
            name: value
            for name, value in values
            if name not in left_out and (name in always or value != getattr(plain, name))
        }

    def write_signature(
        self,
        families: Sequence[Family] = FAMILIES,
        *,
        reference_counts: Sequence[int] | NDArray[np.int64] = (),
        seed: int | None = None,
    ) -> str:
        """One line that says how scores were made with these options.

        Args:
            families: those that were asked for.
            reference_counts: how many references the samples have; nothing where it is unknown.
            seed: of the random stream of resampling; None if it is not known.
        """
        scored = choose_families(self.profile, families)
        values: dict[str, object] = {"profile": self.profile}
        if len(reference_counts):
            fewest, most = int(np.min(reference_counts)), int(np.max(reference_counts))
            values["nrefs"] = str(fewest) if fewest == most else f"{fewest}-{most}"
        values.update(self._state(scored, ALWAYS_STATED))
        # That there is a line says itself.
        values.pop("signature", None)
        if self.uses_seed(scored):
            values["seed"] = "none" if seed is None else seed
        return write_signature({**values, "kernel": current_kernel(), "version": __version__})

    @cached_property
    def bleu_rules(self) -> BleuRules:
        """What BLEU is calculated by; of ``google_bleu``, which has its own rules, the orders."""
        arithmetic = find_profile(self.profile).bleu
        return make_bleu_rules(
            arithmetic="hf" if arithmetic == "google_bleu" else arithmetic,
            max_order=self.max_order,
            weights=self.weights,
            smooth=self.smooth,
            smooth_value=self.smooth_value,
            reference_length=self.reference_length,
            effective_order=self.effective_order,
            auto_reweigh=self.auto_reweigh,
        )

    @cached_property
    def rouge_rules(self) -> RougeRules:
        """What ROUGE is calculated by."""
        return make_rouge_rules(
            formula=find_profile(self.profile).rouge,
            beta=self.beta,
            multi_reference=self.multi_reference,
        )

    @cached_property
    def bleu_tokenize(self) -> Tokenizer:
        """From a text, as ``prepare_bleu`` leaves it, to the tokens that BLEU counts."""
        return resolve_tokenizer(
            "bleu_tokenizer", self.bleu_tokenizer, segmenter=self._segmenter_of(self.bleu_tokenizer)
        )

    @cached_property
    def rouge_tokenize(self) -> Tokenizer:
        """From a text to the tokens that ROUGE counts."""
        return make_rouge_tokenizer(
            self.rouge_tokenizer,
            use_stemmer=self.use_stemmer,
            segmenter=self._segmenter_of(self.rouge_tokenizer),
            stemmer_exceptions=None
            if self.stemmer_exceptions is None
            else read_exceptions(self.stemmer_exceptions),
            stop_words=resolve_stop_words(self.stop_words),
            word_limit=self.word_limit,
            byte_limit=self.byte_limit,
        )

    @cached_property
    def split_sentences(self) -> SentenceSplitter:
        """From a text to its non-empty sentences, for ``rougeLsum``."""
        splitter = resolve_sentence_splitter(self.sentence_splitter)
        truncate = make_truncation(self.word_limit, self.byte_limit)
        if truncate is None:
            return splitter
        return SentenceSplitter(splitter.name, lambda text: splitter.function(truncate(text)))

    @cached_property
    def id_rules(self) -> IdRules:
        """Which token ids stand for tokens."""
        return make_id_rules(self.ignore_index, self.pad, self.eos, self.separator)

    def _segmenter_of(self, tokenizer: object) -> Tokenize | None:
        """The segmenter, for the tokenizer that uses one."""
        return self.segmenter if uses_segmenter(tokenizer) else None

    @property
    def resamples(self) -> bool:
        """Whether the scores of ROUGE are made from resamples."""
        is_asked_for = self.aggregator == "bootstrap" or self.confidence is not None
        return self.use_aggregator and is_asked_for

    def uses_seed(self, families: Sequence[Family]) -> bool:
        """Whether scores of these families depend on a seed; ROUGE-1.5.5 has seeds of its own."""
        return self.resamples and "rouge" in families and self.rouge_rules.formula != "rouge-1.5.5"

    @property
    def sentence_types(self) -> list[str]:
        """Those of ``rouge_types`` that look at sentences."""
        is_paper = self.rouge_rules.formula == "lin2004"
        kinds = ("lsum",) if is_paper else ("lsum", "w")
        return [
            name
            for name, counted in self.counted_rouge_types.items()
            if parse_rouge_type(counted).kind in kinds
        ]

    @cached_property
    def counted_rouge_types(self) -> dict[str, str]:
        """What is counted for each of ``rouge_types``."""
        # Parity: ROUGE-1.5.5 calls ROUGE-L what rouge_score calls rougeLsum.
        renamed = {"rougeL": "rougeLsum"} if self.rouge_rules.formula == "rouge-1.5.5" else {}
        return {name: renamed.get(name, name) for name in self.rouge_types}


free_cached_properties(Options)


@cache
def _plain_options(profile: str) -> Options:
    """The options of a profile where nothing else is given."""
    return Options(profile=profile)
