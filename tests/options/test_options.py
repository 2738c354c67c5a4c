"""Options: a record of checked values; which choice overrides which; warnings; and the tables.

The tables are of profiles, with the keys of their results, and of options.
"""

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, fields, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import evaluate
import numpy as np
import pytest

from bleu_rouge_metric import Options, load
from bleu_rouge_metric.families.registry import FAMILIES
from bleu_rouge_metric.families.rouge.rules import to_paths
from bleu_rouge_metric.options import keywords
from bleu_rouge_metric.options.keywords import OptionRecord
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import OPTIONS, write_arguments
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

from ..integrations.test_metric import BLEU_KEYS, ROUGE_KEYS
from ..laws.cases import VALUES
from ..support.commands import ONE_REFERENCE
from .test_signature import list_accepted


def is_of(value: object, hint: Any) -> bool:
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(is_of(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin is tuple:
        return isinstance(value, tuple) and all(is_of(item, parts[0]) for item in value)
    if origin is Callable:
        return callable(value)
    if hint is float:  # As for type checkers, an int is a float.
        return type(value) in (int, float)
    return type(value) is (NoneType if hint is None else hint)


@pytest.mark.filterwarnings("ignore:use_stemmer=")
def test_values_have_the_types_of_the_record() -> None:
    hints = get_type_hints(OptionRecord)
    assert [field.name for field in fields(Options)] == [*OPTIONS, "further"]
    for name in VALUES:
        for made in list_accepted(name):
            for option, value in Options.from_keywords(made).values().items():
                assert is_of(value, hints[option]), (option, value)


@pytest.mark.parametrize("name", ["max_order", "further", "max_ordr"])
def test_options_cannot_be_changed(name: str) -> None:
    message = f"Options cannot be changed; use replace({name}=...) for new ones."
    with pytest.raises(AttributeError, match=f"^{re.escape(message)}$"):
        setattr(Options(), name, 2)
    with pytest.raises(AttributeError, match="'Options' object has no attribute 'max_ordr'"):
        Options(max_order=2).max_ordr  # type: ignore[attr-defined] # noqa: B018


def test_functions_for_records_work() -> None:
    options = Options(max_order=2, weights=[0.5, 0.5])
    assert replace(options, lowercase=True) == options.replace(lowercase=True)
    assert asdict(options) == {**options.values(), "further": {}}


def test_options_are_compared_and_pickled_without_what_was_made_of_them() -> None:
    used, other = (Options.from_keywords({"beta": beta}) for beta in (2, 2.0))
    used.plan()
    used.counting_signature()
    pickled = pickle.dumps(other)
    for again in (pickle.loads(pickle.dumps(used)), copy.deepcopy(used)):
        assert again == used == other
        assert hash(again) == hash(used)
        assert len(pickle.dumps(again)) == len(pickle.dumps(used)) <= len(pickled)
        assert again.write_signature() == used.write_signature()
    assert used != Options()


def test_equal_options_do_not_share_plans() -> None:
    whole, real = (
        Options(profile="nltk", smooth="method4", smooth_value=value) for value in (3, 3.0)
    )
    assert whole == real
    plans = [options.plan(["bleu"]).scores["bleu"] for options in (whole, real)]
    values = [vars(plan)["rules"].smooth_value for plan in plans]
    assert list(map(type, values)) == [int, float]


FLOOR = {"smooth": "none", "reference_length": "longest"}
FIRST = {"n_resamples": 1, "word_limit": 1, "max_order": 1}
LAST = {"n_resamples": 1_000_000, "word_limit": 2**31 - 1, "max_order": 100}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (dict.fromkeys(OPTIONS), Options().values()),
        ({"profile": "sacrebleu", **FLOOR}, FLOOR),
        ({"profile": "rouge-1.5.5", "detailed": False},
         {"detailed": False, "multi_reference": "micro"}),
        ({"profile": "nltk", "tokenizer": "char"}, {"bleu_tokenizer": "char"}),
        ({"profile": "nltk"}, {"bleu_tokenizer": "whitespace"}),
        # The longest n-gram follows from the weights.
        ({"weights": (0.5, 0.5)}, {"max_order": 2}),
        ({"profile": "nltk", "weights": [(1.0,), (0.2, 0.3, 0.5)]}, {"max_order": 3}),
        # A hundred types are allowed, and repetitions do not count.
        ({"rouge_types": [f"rougeS{gap % 100}" for gap in range(200)]},
         {"rouge_types": tuple(f"rougeS{gap}" for gap in range(100))}),
        # The ends of a range belong to it.
        *((ends, ends) for ends in (FIRST, LAST)),
    ],
)  # fmt: skip
def test_an_option_goes_before_the_profile(given: Any, expected: dict[str, Any]) -> None:
    options = Options.from_keywords(given)
    assert {name: getattr(options, name) for name in expected} == expected


def test_a_new_profile_keeps_what_the_old_one_chose_if_it_has_the_option() -> None:
    assert Options(profile="sacrebleu").replace(profile="coco").smooth == "none"
    kept = Options(profile="sacrebleu").replace(profile="nltk")
    assert (kept.smooth, kept.bleu_tokenizer) == ("exp", "13a")
    only_rouge = Options(profile="rouge_score", tokenizer="char")
    assert only_rouge == Options(profile="rouge_score", rouge_tokenizer="char")
    assert only_rouge.replace(beta=2).rouge_tokenizer == "char"


def test_numbers_of_numpy_become_those_of_python() -> None:
    given = {
        "max_order": np.int64(2),
        "n_resamples": np.int32(7),
        "word_limit": np.int64(3),
        "beta": np.float64(0.5),
        "confidence": np.float32(0.5),
        "effective_order": np.bool_(0),
        **dict.fromkeys(("smooth", "use_stemmer", "detailed"), np.bool_(1)),
    }
    options = Options.from_keywords(given)
    assert Options.from_signature(options.write_signature()) == options
    assert (options.max_order, options.smooth, options.use_stemmer) == (2, "add-one", True)
    assert type(options.use_stemmer) is type(options.detailed) is bool
    assert type(options.beta) is type(options.confidence) is float
    assert type(options.n_resamples) is int


def test_paths_are_kept_as_texts() -> None:
    for given in ([Path("noun.exc"), "verb.exc"], (Path("noun.exc"), Path("verb.exc"))):
        assert to_paths("stemmer_exceptions", given) == ("noun.exc", "verb.exc")
    assert to_paths("stemmer_exceptions", Path("noun.exc")) == ("noun.exc",)


def find_tokenizers(**options: Any) -> tuple[Tokenizer, Tokenizer]:
    bleu, rouge = Options(**options).plan().scores.values()
    return bleu.tokenizer, rouge.tokenizer


def test_the_tokenizer_of_a_family_overrides_that_of_both() -> None:
    assert find_tokenizers(tokenizer="char") == (TOKENIZERS["char"], TOKENIZERS["char"])
    assert find_tokenizers() == (TOKENIZERS["13a"], TOKENIZERS["rouge"])
    mixed = find_tokenizers(tokenizer="char", bleu_tokenizer="whitespace", rouge_tokenizer="13a")
    assert mixed == (TOKENIZERS["whitespace"], TOKENIZERS["13a"])
    assert find_tokenizers(use_stemmer=True)[1] is TOKENIZERS["rouge"].stemmed


NO_STEMMER = (
    "use_stemmer=True has no effect on ROUGE here: only the tokenizers 'rouge', 'rouge-1.5.5', "
    "'xlsum', 'korouge' and 'google-adk' have the Porter stemmer. Use use_stemmer='english', or "
    "another language, to stem the tokens of any tokenizer, or leave the tokenizer out."
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"use_stemmer": True, "tokenizer": str.split}, NO_STEMMER),
        ({"use_stemmer": True, "rouge_tokenizer": "char"}, NO_STEMMER),
        (
            {"smooth": "method6", "max_order": 2},
            "smooth='method6' smooths the orders from 3 up, but max_order is 2, so that BLEU is 0. "
            "Use max_order=3 or more, or another smoothing.",
        ),
    ],
)
def test_options_without_effect_are_warned_of(options: dict[str, Any], message: str) -> None:
    with pytest.warns(UserWarning, match=f"^{re.escape(message)}$") as record:
        Options(**options)
    assert len(record) == 1
    assert record[0].filename == __file__


def test_what_is_refused_is_not_warned_of_before() -> None:
    # Warnings are errors.
    with pytest.raises(ValueError, match=r"^beta is 0"):
        Options(use_stemmer=True, tokenizer="unicode", beta=0)
    with pytest.raises(ValueError, match=r"^Unknown tokenizer"):
        Options(smooth="method6", max_order=2, tokenizer="klingon")


PREDICTIONS = ["the cat sat on the mat"]
REFERENCES = [["the cat lay on the mat", "a cat sat there"]]


KEYS = {
    "hf": [*BLEU_KEYS, *ROUGE_KEYS],
    "nltk": BLEU_KEYS,
    "codexglue": ["bleu", "precisions"],
    **dict.fromkeys(("rouge_score", "xlsum", "lin2004"), ROUGE_KEYS),
    **{name: ["rouge-1", "rouge-2", "rouge-l"] for name in ("rouge", "rouge-chinese")},
    "sacrebleu": ["score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"],
    "google_bleu": ["google_bleu"],
    "coco": ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "ROUGE_L"],
    "rouge-1.5.5": ["rouge1", "rouge2", "rougeL", "rougeSU4"],
}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_returns_the_keys_of_its_reference(metric: evaluate.Metric, profile: str) -> None:
    references = REFERENCES[0][:1] if profile in ONE_REFERENCE else REFERENCES
    scores = metric.compute(predictions=PREDICTIONS, references=references, profile=profile)
    assert list(scores) == KEYS[profile]
    if profile in ("rouge-1.5.5", "lin2004"):
        assert {tuple(score) for score in scores.values()} == {("precision", "recall", "fmeasure")}
    # Every scorer of the process uses the same one.
    with pytest.raises(FrozenInstanceError):
        PROFILES[profile].presets = {}  # type: ignore[misc]


def test_the_docstring_of_the_metric_has_every_option() -> None:
    assert write_arguments() in load().inputs_description
    lines = write_arguments().splitlines()
    assert "    ignore_index: a token id to drop; default: -100." in lines
    assert max(map(len, lines)) <= 100
    starts = [line.startswith(tuple(f"    {name}: " for name in OPTIONS)) for line in lines]
    assert starts.count(True) == len(OPTIONS) < len(lines)
    for line, is_start in zip(lines, starts, strict=True):
        assert len(line) - len(line.lstrip()) == (4 if is_start else 8), line


def test_every_row_says_what_it_does_and_what_its_default_is() -> None:
    for option in OPTIONS.values():
        assert option.text, option.name
        assert option.text[-1] not in ".;", option.name
        assert (option.default is None) == bool(option.unset), option.name
        if option.choices and option.default is not None:
            assert option.default in option.choices
        assert {*option.used_by} <= FAMILIES.keys()


def test_type_checkers_know_every_option() -> None:
    hints = get_type_hints(keywords.OptionKeywords)
    assert hints.keys() == OPTIONS.keys()
    for name, option in OPTIONS.items():
        parts = [value for part in get_args(hints[name]) for value in get_args(part)]
        literals = sorted(value for value in parts if isinstance(value, str))
        # A smoothing has too many names for a Literal.
        assert literals == (sorted(option.choices) if name != "smooth" else []), name


@pytest.mark.parametrize("family", ["bleu", "rouge"])
def test_the_functions_have_the_options_of_their_family(family: str) -> None:
    typed = keywords.BleuKeywords if family == "bleu" else keywords.RougeKeywords
    expected = {
        option.name
        for option in OPTIONS.values()
        if option.is_of([family]) and option.effect in ("counts", "scores")
    }
    assert get_type_hints(typed).keys() == expected - {"profile"}
