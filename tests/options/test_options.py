"""Options: defaults, checks, the whole text of every error."""

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric.checks import check_seed
from bleu_rouge_metric.families.rouge.rules import to_paths
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.table import OPTIONS
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer


def test_a_hundred_types_are_allowed_and_repetitions_do_not_count() -> None:
    types = [f"rougeS{gap}" for gap in range(100)]
    assert Options.from_keywords({"rouge_types": types * 2}).rouge_types == tuple(types)


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
