"""The record of options: its fields are those of the table, and nothing changes or leaks."""

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from bleu_rouge_metric import Options
from bleu_rouge_metric.options.keywords import OptionRecord
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import OPTIONS

# Every option has a value here that is not its default; some exclude each other.
SETS: list[dict[str, Any]] = [
    *({"profile": name} for name in PROFILES),
    {"tokenizer": str.split, "max_order": 2, "weights": [0.5, 0.5], "smooth": True},
    {"weights": [[1], [0.5, 0.5]], "smooth": "floor", "smooth_value": 1, "effective_order": True},
    {"tokenizer": "unicode", "segmenter": list, "auto_reweigh": True, "lowercase": True},
    {"reference_length": "average", "sentence_bleu": True, "rouge_types": ["rouge1"], "beta": 2},
    {"use_stemmer": True, "stop_words": ["the"], "word_limit": 9, "sentence_splitter": str.split},
    {
        "use_stemmer": "german",
        "rouge_tokenizer": "unicode",
        "byte_limit": 9,
        "multi_reference": "mean",
    },
    {"use_aggregator": False, "aggregator": "bootstrap", "detailed": True, "signature": True},
    {"n_resamples": 9, "confidence": 0.9},
    {"tokenizer": "ids", "ignore_index": 3, "pad": [0, 1], "eos": 2, "separator": 4},
    {"profile": "google_bleu", "min_order": 2},
]


def is_of(value: object, hint: Any) -> bool:
    """Return whether a value has a type, for the types that the record uses."""
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


def test_the_fields_are_the_options_of_the_table() -> None:
    assert [field.name for field in fields(Options)] == [*OPTIONS, "further"]


@pytest.mark.parametrize("given", SETS, ids=range(len(SETS)))
def test_values_have_the_types_of_the_record(given: dict[str, Any]) -> None:
    options, hints = Options(**given), get_type_hints(OptionRecord)
    for name, value in options.values().items():
        assert is_of(value, hints[name]), (name, value)
        assert getattr(options, name) is value


def test_an_option_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError, match="'Options' object has no attribute 'max_ordr'"):
        Options(max_order=2).max_ordr  # type: ignore[attr-defined] # noqa: B018


@pytest.mark.parametrize("name", ["max_order", "further", "max_ordr"])
def test_options_cannot_be_changed(name: str) -> None:
    message = f"Options cannot be changed; use replace({name}=...) for new ones."
    with pytest.raises(AttributeError, match=f"^{re.escape(message)}$"):
        setattr(Options(), name, 2)


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
        Options(profile="nltk", smooth="method4", smooth_value=3),
        Options(profile="nltk", smooth="method4", smooth_value=3.0),
    )
    assert whole == real
    plans = [options.plan(["bleu"]).scores["bleu"] for options in (whole, real)]
    values = [vars(plan)["rules"].smooth_value for plan in plans]
    assert list(map(type, values)) == [int, float]
