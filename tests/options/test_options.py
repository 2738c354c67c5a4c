"""Options: defaults, checks, the whole text of every error."""

import math
import re
import warnings
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.families.bleu import rules as bleu_rules
from bleu_rouge_metric.families.rouge.rules import to_paths
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.schema.checks import check_seed
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

from ..support.known_names import TOKENIZER_NAMES

SMOOTHINGS = ", ".join(map(repr, bleu_rules.SMOOTHINGS))
NAMES = list(OPTIONS)

KNOWN_TYPES = (
    "expected 'rouge1' to 'rouge9', 'rougeL', 'rougeLsum', 'rougeW' (or with a weight, "
    "'rougeW-1.2'), 'rougeS' or 'rougeSU' (or with a gap, 'rougeS4', 'rougeSU4')."
)

_OF_BETA = "expected a number above 0, or math.inf for the recall."
_OF_TYPES = "expected a sequence of types."

# option, value, error, whole text of the error
BAD: list[tuple[str, Any, type[Exception], str]] = [
    ("max_order", 0, ValueError, "max_order is 0; expected an int from 1 to 100."),
    ("max_order", 2.0, TypeError, "max_order is 2.0; expected an int from 1 to 100."),
    ("max_order", True, TypeError, "max_order is True; expected an int from 1 to 100."),
    ("max_order", 10**30, ValueError, f"max_order is {10**30}; expected an int from 1 to 100."),
    ("n_resamples", -1, ValueError, "n_resamples is -1; expected an int from 1 to 1,000,000."),
    ("word_limit", 0, ValueError, "word_limit is 0; expected an int from 1 to 2,147,483,647."),
    ("byte_limit", 1.5, TypeError, "byte_limit is 1.5; expected an int from 1 to 2,147,483,647."),
    ("beta", 0, ValueError, f"beta is 0; {_OF_BETA}"),
    ("beta", math.nan, ValueError, f"beta is nan; {_OF_BETA}"),
    ("beta", 10**400, ValueError, f"beta is {10**400}; {_OF_BETA}"),
    ("beta", "1", TypeError, f"beta is '1'; {_OF_BETA}"),
    ("confidence", 95, ValueError, "confidence is 95; expected a float above 0 and below 1, such "
     "as 0.95."),
    ("confidence", "0.95", TypeError, "confidence is '0.95'; expected a float above 0 and below 1, "
     "such as 0.95."),
    ("weights", (0.5, 0.4), ValueError, "weights sums to 0.9; expected 1: divide each by 0.9."),
    ("smooth", "expo", ValueError, f"Unknown smooth 'expo'; expected one of {SMOOTHINGS}. Did you "
     "mean 'exp'?"),
    ("multi_reference", "worst", ValueError, "Unknown multi_reference 'worst'; expected one of "
     "'best', 'best_recall', 'micro', 'mean', 'jackknife'."),
    ("aggregator", "median", ValueError, "Unknown aggregator 'median'; expected one of 'mean', "
     "'bootstrap'. Did you mean 'mean'?"),
    ("use_stemmer", 1, TypeError, "use_stemmer is 1; expected True (Porter), False, or the "
     "language of a Snowball stemmer, such as 'german'."),
    ("stemmer_exceptions", ["noun.exc"], ValueError, "stemmer_exceptions is given, but use_stemmer "
     "is False; use use_stemmer=True, or leave the exceptions out."),
    ("segmenter", str.split, ValueError, "segmenter is given, but only the tokenizer 'unicode' "
     "uses one. Use tokenizer='unicode', or leave the segmenter out."),
    ("tokenizer", "moses", ValueError, f"Unknown tokenizer 'moses'; expected {TOKENIZER_NAMES} or "
     "a callable str -> list[str]."),
    ("rouge_tokenizer", b"13a", TypeError, "rouge_tokenizer is of type bytes; expected the name of "
     "a tokenizer or a callable str -> list[str]."),
    ("sentence_splitter", "period", ValueError, "Unknown sentence_splitter 'period'; expected "
     "'newline', 'punkt', 'punkt-LANGUAGE' (such as 'punkt-german'), 'pysbd', 'pysbd-CODE' (such "
     "as 'pysbd-de') or a callable str -> list[str]."),
    ("sentence_splitter", 3, TypeError, "sentence_splitter is of type int; expected the name of a "
     "splitter or a callable str -> list[str]."),
    ("rouge_types", ["rougeS-1"], ValueError, "Rouge type 'rougeS-1' has the gap -1; expected an "
     "int of at least 0, such as 'rougeS4'. For any gap write 'rougeS*'."),
    ("rouge_types", ["rouge0"], ValueError, f"Unknown rouge type 'rouge0'; {KNOWN_TYPES}"),
    ("rouge_types", ["rouge1", "rouge10"], ValueError, "Unknown rouge type 'rouge10'; "
     f"{KNOWN_TYPES}"),
    ("rouge_types", ["rougel"], ValueError, f"Unknown rouge type 'rougel'; {KNOWN_TYPES} Did you "
     "mean 'rougeL'?"),
    ("rouge_types", [1], ValueError, f"Unknown rouge type '1'; {KNOWN_TYPES}"),
    ("rouge_types", [["rouge1"]], ValueError, f"Unknown rouge type \"['rouge1']\"; {KNOWN_TYPES}"),
    ("rouge_types", [f"rougeS{gap}" for gap in range(101)], ValueError, "rouge_types has 101 "
     "types; expected at most 100. Score the others in another call."),
    ("rouge_types", "rouge1, rougeL", TypeError, "rouge_types is the str 'rouge1, rougeL'; "
     f"{_OF_TYPES} Use rouge_types=['rouge1', 'rougeL']."),
    ("rouge_types", {"rouge1"}, TypeError, f"rouge_types is of type set; {_OF_TYPES}"),
    ("rouge_types", b"rouge1", TypeError, f"rouge_types is of type bytes; {_OF_TYPES}"),
    ("rouge_types", 1, TypeError, f"rouge_types is of type int; {_OF_TYPES}"),
    ("rouge_types", [], ValueError, "rouge_types is empty; expected at least one type, such as "
     "'rouge1'."),
    *((name, "yes", TypeError, f"{name} is 'yes'; expected True or False.")
      for name in ("signature", "lowercase", "use_aggregator", "detailed", "sentence_bleu")),
]  # fmt: skip


@pytest.mark.parametrize(("option", "value", "error", "message"), BAD)
def test_a_bad_value_is_an_error_before_any_work(
    metric: evaluate.Metric, option: str, value: object, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        Options.from_keywords({option: value})
    # The options are checked before the samples, which are bad here as well.
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        metric.compute(predictions=[None], references=[None], **{option: value})


def test_a_hundred_types_are_allowed_and_repetitions_do_not_count() -> None:
    types = [f"rougeS{gap}" for gap in range(100)]
    assert Options.from_keywords({"rouge_types": types * 2}).rouge_types == tuple(types)


@pytest.mark.parametrize(
    ("keyword", "message"),
    [
        ("rouge_type", "Unknown option 'rouge_type'; did you mean 'rouge_types'?"),
        ("prediction", "Unknown option 'prediction'; did you mean 'predictions'?"),
        ("reference", "Unknown option 'reference'; did you mean 'references'?"),
        ("seed", "seed does not apply to compute. Pass it to evaluate.load(..., seed=...)."),
        ("use_stemer", "Unknown option 'use_stemer'; did you mean 'use_stemmer'?"),
        (
            "xyz",
            f"Unknown option 'xyz'; expected one of {', '.join(NAMES)}.",
        ),
    ],
)
def test_an_unknown_option_is_an_error_that_names_the_closest(keyword: str, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        Options.from_keywords({keyword: 1})


@pytest.mark.parametrize(
    ("given", "family", "message"),
    [
        ({"rouge_types": ["rouge1"]}, "bleu", "rouge_types applies to ROUGE only, but only BLEU"),
        ({"max_order": 2}, "rouge", "max_order applies to BLEU only, but only ROUGE"),
    ],
)
def test_an_option_of_the_other_family_is_an_error(
    given: dict[str, Any], family: str, message: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(TypeError) as error:
        request.getfixturevalue(family).compute(predictions=["a"], references=["a"], **given)
    assert str(error.value) == f"{message} was requested. Remove it, or request both."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"profile": "google_bleu", "smooth": "add-one", "beta": 3.0},
            "beta applies to ROUGE only, but the profile 'google_bleu' has only BLEU. Remove it.",
        ),
        (
            {"profile": "google_bleu", "smooth": "add-one"},
            "smooth has no effect under the profile 'google_bleu'. Remove it.",
        ),
        (
            {"profile": "rouge_score", "weights": np.array([0.5, 0.5])},
            "weights applies to BLEU only, but the profile 'rouge_score' has only ROUGE. Remove "
            "it.",
        ),
    ],
)
def test_options_without_effect_are_refused_by_every_constructor(
    given: dict[str, Any], message: str
) -> None:
    plain = Options(**{**given, **dict.fromkeys(given.keys() - {"profile"})})
    for make in (Options, Scorer, plain.replace):
        with pytest.raises(TypeError) as error:
            make(**given)
        assert str(error.value) == message
    with pytest.raises(TypeError, match=r"Remove it\.$"):
        Options(**{**given, "profile": "hf"}).replace(profile=plain.profile)


def test_a_new_profile_drops_what_the_old_one_chose() -> None:
    assert Options(profile="sacrebleu").replace(profile="coco").smooth == "none"
    only_rouge = Options(profile="rouge_score", tokenizer="char")
    assert only_rouge == Options(profile="rouge_score", rouge_tokenizer="char")
    assert only_rouge.replace(beta=2).rouge_tokenizer == "char"


def test_every_option_belongs_to_a_family_or_to_both() -> None:
    own = {name for name in OPTIONS for family in ("bleu", "rouge") if not _accepts(name, family)}
    shared = {"profile", "language", "tokenizer", "segmenter", "signature"}
    shared |= {"n_resamples", "confidence"}
    shared |= {"ignore_index", "pad", "eos", "separator"}
    assert OPTIONS.keys() - own == shared


def _accepts(option: str, family: Any) -> bool:
    try:
        Options.from_keywords({option: None}, [family])
    except TypeError:
        return False
    return True


def test_numbers_of_numpy_become_those_of_python() -> None:
    options = Options.from_keywords(
        {
            "max_order": np.int64(2),
            "smooth": np.bool_(1),
            "use_stemmer": np.bool_(1),
            "n_resamples": np.int32(7),
            "beta": np.float64(0.5),
            "confidence": np.float32(0.5),
            "detailed": np.bool_(1),
            "word_limit": np.int64(3),
            "smooth_value": None,
            "effective_order": np.bool_(0),
        }
    )
    assert Options.from_signature(options.write_signature()) == options
    assert (options.max_order, options.smooth, options.use_stemmer) == (2, "add-one", True)
    assert type(options.use_stemmer) is type(options.detailed) is bool
    assert type(options.beta) is type(options.confidence) is float
    assert type(options.n_resamples) is int


def test_the_ends_of_a_range_belong_to_it() -> None:
    for seed in (0, 2**32 - 1):
        assert check_seed(seed) == seed
    for ends in (
        {"n_resamples": 1, "word_limit": 1, "max_order": 1},
        {"n_resamples": 1_000_000, "word_limit": 2**31 - 1, "max_order": 100},
    ):
        options = Options.from_keywords(ends)
        assert {name: getattr(options, name) for name in ends} == ends


def test_paths_are_kept_as_texts() -> None:
    for given in ([Path("noun.exc"), "verb.exc"], (Path("noun.exc"), Path("verb.exc"))):
        assert to_paths("stemmer_exceptions", given) == ("noun.exc", "verb.exc")
    assert to_paths("stemmer_exceptions", Path("noun.exc")) == ("noun.exc",)


def test_none_stands_for_the_default() -> None:
    keywords = dict.fromkeys(OPTIONS)
    assert Options.from_keywords(keywords) == Options()


def find_tokenizers(**options: Any) -> tuple[Tokenizer, Tokenizer]:
    """The tokenizers of BLEU and of ROUGE."""
    bleu, rouge = Options(**options).plan().scores.values()
    return bleu.tokenizer, rouge.tokenizer


def test_the_tokenizer_of_a_family_overrides_that_of_both() -> None:
    assert find_tokenizers(tokenizer="char") == (TOKENIZERS["char"], TOKENIZERS["char"])
    assert find_tokenizers() == (TOKENIZERS["13a"], TOKENIZERS["rouge"])
    mixed = find_tokenizers(tokenizer="char", bleu_tokenizer="whitespace", rouge_tokenizer="13a")
    assert mixed == (TOKENIZERS["whitespace"], TOKENIZERS["13a"])


def test_the_stemmer_warns_where_it_has_no_effect() -> None:
    assert find_tokenizers(use_stemmer=True)[1] is TOKENIZERS["rouge"].stemmed
    message = (
        "use_stemmer=True has no effect on ROUGE here: only the tokenizers 'rouge', "
        "'rouge-1.5.5', 'xlsum', 'korouge' and 'google-adk' have the Porter stemmer. Use "
        "use_stemmer='english', or another language, to stem the tokens of any tokenizer, or leave "
        "the tokenizer out."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(message)}$"):
        Options(use_stemmer=True, tokenizer=str.split)
    with pytest.warns(UserWarning, match=f"^{re.escape(message)}$"):
        Options(use_stemmer=True, rouge_tokenizer="char")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"use_stemmer": "klingon"}, "Unknown use_stemmer 'klingon'"),
        ({"use_stemmer": True, "tokenizer": "unicode", "beta": 0}, "beta is 0"),
        ({"smooth": "method6", "max_order": 2, "tokenizer": "klingon"}, "Unknown tokenizer"),
    ],
    ids=str,
)
def test_what_is_refused_is_not_warned_of_before(options: dict[str, Any], error: str) -> None:
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match=f"^{error}"):
            Options.from_keywords(options)
    assert [str(warning.message) for warning in record] == []


def test_method_6_below_three_orders_is_warned_of() -> None:
    expected = (
        "smooth='method6' smooths the orders from 3 up, but max_order is 2, so that BLEU is 0. "
        "Use max_order=3 or more, or another smoothing."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
        Options(smooth="method6", max_order=2)
    assert len(record) == 1
