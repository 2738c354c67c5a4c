"""From the options that a caller gives to the values of all options, checked, and their plan."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..bleu.rows import check_resampled
from ..bleu.rules import BleuRules, make_bleu_rules
from ..counting.rouge_types import ROUGE_N, parse_rouge_type
from ..rouge.formulas import RougeRules, make_rouge_rules
from ..samples.token_ids import IDS, IdRules, make_id_rules
from ..text.id_tokens import make_id_splitter, make_id_tokenizer
from ..text.rouge_pipeline import make_rouge_tokenizer, warn_of_stop_words
from ..text.sentences import SentenceSplitter, resolve_sentence_splitter
from ..text.tokenizers import Tokenize, resolve_tokenizer, uses_segmenter
from ..text.truncation import make_truncation
from ..text.warnings import warn_of_smoothing, warn_of_stemmer
from ..text.word_lists import read_exceptions, resolve_stop_words
from .checks import check_range
from .plans import BleuCountPlan, CountPlan, Plan, RougeCountPlan, ScorePlan
from .profiles import Profile, find_profile, profile_of
from .table import OPTIONS, is_used

Values = dict[str, Any]

_TOKENIZERS: Final = ("bleu_tokenizer", "rouge_tokenizer")


class Rules(NamedTuple):
    """The rules that are made of several options, which check one another."""

    bleu: BleuRules
    rouge: RougeRules
    ids: IdRules


def resolve(given: Mapping[str, Any]) -> tuple[Values, Plan]:
    """Return the values of all options, and the plan of all families of the profile.

    Warns of values that have no effect, once all values are checked.

    Args:
        given: options by name; None stands for the value that the profile has.

    Raises:
        TypeError: a value is of a wrong type.
        ValueError: a value is out of range, or a name is unknown.
    """
    profile = find_profile(profile_of(given))
    values = _fill_in(given, profile)
    rules = _make_rules(values, profile)
    _check_together(values)
    _check_interval(values, rules, profile)
    plan = make_plan(values, rules, profile)
    warn_of_smoothing(values["smooth"], values["max_order"])
    warn_of_stemmer(values["use_stemmer"], values["rouge_tokenizer"])
    rouge = plan.counting.rouge
    if rouge is not None:
        warn_of_stop_words(values["stop_words"], rouge.choice, rouge.bare_tokenizer)
    return values, plan


def replan(values: Values) -> Plan:
    """Return the plan of values that are checked already, such as the values of a pickle."""
    profile = find_profile(values["profile"])
    return make_plan(values, _make_rules(dict(values), profile), profile)


def _fill_in(given: Mapping[str, Any], profile: Profile) -> Values:
    """Return a value for every option; each is checked alone."""
    shared = given.get("tokenizer")
    if shared is not None:
        resolve_tokenizer("tokenizer", shared)
    values: Values = {}
    for name, option in OPTIONS.items():
        value = given.get(name)
        if value is None and name in _TOKENIZERS:
            value = shared
        if value is None:
            value = profile.presets.get(name, option.default)
        if value is not None and option.check is not None:
            value = option.check(name, value)
        # NumPy's numbers become Python's, ready for a signature.
        values[name] = value.item() if isinstance(value, np.generic) else value
    # It is kept as the tokenizers of the families.
    values["tokenizer"] = None
    return values


def _make_rules(values: Values, profile: Profile) -> Rules:
    """Check the options that the rules are made of, and keep them as the rules have them."""
    bleu = make_bleu_rules(
        arithmetic="hf" if profile.bleu == "google_bleu" else profile.bleu,
        max_order=values["max_order"],
        weights=values["weights"],
        smooth=values["smooth"],
        smooth_value=values["smooth_value"],
        reference_length=values["reference_length"],
        effective_order=values["effective_order"],
        auto_reweigh=values["auto_reweigh"],
    )
    for name in ("max_order", "smooth", "smooth_value", "effective_order"):
        values[name] = getattr(bleu, name)
    if bleu.weights is not None:
        values["weights"] = bleu.weights if len(bleu.weights) > 1 else bleu.weights[0]
    if profile.bleu == "google_bleu":
        check_range("max_order", bleu.max_order, 1, len(ROUGE_N))
    check_range("min_order", values["min_order"], 1, bleu.max_order)
    rouge = make_rouge_rules(
        formula=profile.rouge, beta=values["beta"], multi_reference=values["multi_reference"]
    )
    values["beta"] = rouge.beta
    ids = make_id_rules(*(values[name] for name in ("ignore_index", "pad", "eos", "separator")))
    return Rules(bleu, rouge, ids)


def _check_together(values: Values) -> None:
    """Raise ValueError for options that exclude each other."""
    if values["confidence"] is not None and not values["use_aggregator"]:
        raise ValueError(
            "confidence is an interval around one score for all samples, but use_aggregator is "
            "False; leave one of the two out."
        )
    if values["stemmer_exceptions"] is not None and not values["use_stemmer"]:
        raise ValueError(
            "stemmer_exceptions is given, but use_stemmer is False; use use_stemmer=True, or leave "
            "the exceptions out."
        )
    choices = [values[name] for name in _TOKENIZERS]
    if values["segmenter"] is not None and not is_used(OPTIONS["segmenter"], choices):
        raise ValueError(
            "segmenter is given, but only the tokenizer 'unicode' uses one. "
            "Use tokenizer='unicode', or leave the segmenter out."
        )
    for name, option in OPTIONS.items():
        if name in _TOKENIZERS or option.samples is None or values[name] == option.default:
            continue
        if not is_used(option, choices):
            raise ValueError(
                f"{name} is {values[name]!r}, but only the tokenizer 'ids' uses it; use "
                "tokenizer='ids', or leave it out."
            )
        if option.samples == "texts" and len(option.families) == 1:
            tokenizer = f"{option.families[0]}_tokenizer"
            if values[tokenizer] == IDS:
                raise ValueError(
                    f"{name} is {values[name]!r}, which is for texts, but {tokenizer} is 'ids'; "
                    "leave it out."
                )


def _check_interval(values: Values, rules: Rules, profile: Profile) -> None:
    """Raise ValueError if there is no interval of the profile's BLEU."""
    if values["confidence"] is None or profile.bleu in (None, "google_bleu"):
        return
    try:
        check_resampled(rules.bleu)
    except ValueError as error:
        raise ValueError(f"confidence is {values['confidence']}, but {error}") from error


def make_plan(values: Mapping[str, Any], rules: Rules, profile: Profile) -> Plan:
    """Return the plan of checked values; it makes the tokenizers, which checks their names.

    Raises:
        ValueError: the name of a tokenizer, a splitter or a list is unknown, or what it needs is
            not installed.
    """
    # Parity: ROUGE-1.5.5 calls ROUGE-L what rouge_score calls rougeLsum.
    renamed = {"rougeL": "rougeLsum"} if profile.rouge == "rouge-1.5.5" else {}
    counted = {name: renamed.get(name, name) for name in values["rouge_types"]}
    draws = values["aggregator"] == "bootstrap" or values["confidence"] is not None
    resampling = "rouge-1.5.5" if profile.rouge == "rouge-1.5.5" else "bootstrap"
    score = ScorePlan(
        bleu=rules.bleu,
        min_order=values["min_order"],
        sentence_bleu=values["sentence_bleu"],
        rouge=rules.rouge,
        rouge_types=counted,
        resampling=resampling if draws and values["use_aggregator"] else None,  # type: ignore[arg-type]
        use_aggregator=values["use_aggregator"],
        is_mean=values["aggregator"] == "mean",
        n_resamples=values["n_resamples"],
        confidence=values["confidence"],
        detailed=values["detailed"],
        signature=values["signature"],
    )
    count = CountPlan(
        _plan_bleu(values, rules, profile),
        _plan_rouge(values, rules, counted, profile),
        rules.ids,
    )
    return Plan(profile.families, count, score)


def _plan_bleu(values: Mapping[str, Any], rules: Rules, profile: Profile) -> BleuCountPlan:
    choice, segmenter = values["bleu_tokenizer"], _segmenter_of(values, "bleu_tokenizer")
    overlaps = profile.bleu == "google_bleu"
    return BleuCountPlan(
        choice=choice,
        tokenizer=make_id_tokenizer(rules.ids.separator)
        if choice == IDS
        else resolve_tokenizer("bleu_tokenizer", choice, segmenter=segmenter),
        max_order=rules.bleu.max_order if overlaps else rules.bleu.counted_order,
        lowercase=values["lowercase"],
        # Parity: sacrebleu, BLEU._preprocess_segment.
        strips_end=profile.bleu == "sacrebleu" and choice != IDS,
        overlaps=overlaps,
    )


def _plan_rouge(
    values: Mapping[str, Any], rules: Rules, counted: Mapping[str, str], profile: Profile
) -> RougeCountPlan:
    choice, exceptions = values["rouge_tokenizer"], values["stemmer_exceptions"]
    word_limit, byte_limit = values["word_limit"], values["byte_limit"]
    segmenter = _segmenter_of(values, "rouge_tokenizer")
    if choice == IDS:
        tokenizer = bare_tokenizer = make_id_tokenizer(rules.ids.separator)
        split = bare_split = make_id_splitter(rules.ids.separator)
    else:
        tokenizer = make_rouge_tokenizer(
            choice,
            use_stemmer=values["use_stemmer"],
            segmenter=segmenter,
            stemmer_exceptions=None if exceptions is None else read_exceptions(exceptions),
            stop_words=resolve_stop_words(values["stop_words"]),
            word_limit=word_limit,
            byte_limit=byte_limit,
        )
        bare_tokenizer = resolve_tokenizer("rouge_tokenizer", choice, segmenter=segmenter)
        bare_split = resolve_sentence_splitter(values["sentence_splitter"])
        split = _limit(bare_split, word_limit, byte_limit)
    return RougeCountPlan(
        choice=choice,
        tokenizer=tokenizer,
        bare_tokenizer=bare_tokenizer,
        split_sentences=split,
        bare_split=bare_split,
        types=tuple(dict.fromkeys(counted.values())),
        sentence_types=_find_sentence_types(counted, profile),
        byte_limit=byte_limit if profile.rouge == "rouge-1.5.5" else None,
        lin2004=profile.rouge == "lin2004",
    )


def _limit(
    splitter: SentenceSplitter, word_limit: int | None, byte_limit: int | None
) -> SentenceSplitter:
    """Return the splitter of what a limit leaves of a text."""
    truncate = make_truncation(word_limit, byte_limit)
    if truncate is None:
        return splitter
    return SentenceSplitter(splitter.name, lambda text: splitter.function(truncate(text)))


def _find_sentence_types(counted: Mapping[str, str], profile: Profile) -> tuple[str, ...]:
    """Return the types that look at sentences, as they are asked for."""
    kinds: Sequence[str] = ("lsum",) if profile.rouge == "lin2004" else ("lsum", "w")
    return tuple(name for name, item in counted.items() if parse_rouge_type(item).kind in kinds)


def _segmenter_of(values: Mapping[str, Any], tokenizer: str) -> Tokenize | None:
    """Return the segmenter, for a tokenizer that uses one."""
    segmenter: Tokenize | None = values["segmenter"]
    return segmenter if uses_segmenter(values[tokenizer]) else None
