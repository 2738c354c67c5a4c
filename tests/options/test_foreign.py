"""Names of other libraries: each is an error that says what to write here."""

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from nltk.translate.bleu_score import SmoothingFunction

from bleu_rouge_metric import (
    Options,
    Scorer,
    bleu_score,
    compare_profiles,
    load,
    rouge_scores,
)
from bleu_rouge_metric.integrations.evaluate_metric import BleuRougeMetric
from bleu_rouge_metric.options.foreign import list_foreign
from bleu_rouge_metric.options.table import OPTIONS

# The end of the error, and the names that have it.
REMEDIES = {
    "it is called 'predictions' here": "hypotheses hypothesis hyps hyp candidates candidate "
    "candidate_corpus preds pred pred_lns sys summaries summary",
    "it is called 'references' here": "list_of_references refs ref targets target tgt_lns labels "
    "references_corpus multi_references",
    "it is called 'bleu_tokenizer' here": "tokenize",
    "use language=, the language of the references, such as language='zh'": "trg_lang",
    "it is called 'max_order' here": "max_ngram_order n_gram ngram max_len",
    "use max_order=4 for BLEU, rouge_types=['rouge1', 'rouge2'] for ROUGE": "max_n",
    "it is called 'min_order' here": "min_len",
    "it is called 'smooth' here": "smooth_method smoothing smoothing_method",
    "use smooth='method1' for SmoothingFunction().method1": "smoothing_function",
    "it is called 'smooth_value' here": "epsilon k",
    "it is called 'effective_order' here": "use_effective_order",
    "it is called 'lowercase' here": "lower_case do_lower_case",
    "use lowercase=True for case_sensitive=False": "case_sensitive",
    "use sentence_bleu=True for one BLEU per sample": "sentence_level",
    "it is called 'rouge_types' here": "rouge_keys variants",
    "use rouge_types=['rouge1', 'rouge2']": "metrics rouge_n rouge_n_max",
    "use rouge_types=['rougeL']": "rouge_l",
    "use rouge_types=['rougeW-1.2']": "rouge_w rouge_w_weight weight_factor",
    "use rouge_types=['rougeS4', 'rougeSU4']": "rouge_s rouge_su skip_gap max_skip_bigram",
    "use rouge_tokenizer=, a callable that normalizes a text and splits it": "normalizer",
    "it is called 'use_stemmer' here": "stemming stem",
    "use stop_words='english', which is NLTK's list, or a sequence of words": "stopwords "
    "remove_stopwords stopword_removal",
    "use word_limit= or byte_limit=": "length_limit limit_length length_limit_type",
    "it is called 'sentence_splitter' here": "sentencizer",
    "use sentence_splitter='punkt' for split_summaries=True": "split_summaries",
    "use sentence_splitter='punkt', or leave it out: a newline in a text ends a sentence of "
    "rougeLsum": "newline_sep rouge_newline_sep",
    "use multi_reference='best' for 'best', multi_reference='mean' for 'avg'": "accumulate",
    "use multi_reference='best' for 'best', multi_reference='mean' for 'average'": "multiref "
    "multi_ref_mode",
    "use multi_reference='mean' for apply_avg=True": "apply_avg",
    "use multi_reference='best' for apply_best=True": "apply_best",
    "use beta=math.sqrt(1 / alpha - 1) for ROUGE, smooth_value=alpha for NLTK's method6": "alpha",
    "it is called 'use_aggregator' here": "avg aggregate",
    "it is called 'language' here": "lang",
    "use aggregator='bootstrap' for bootstrap_aggregation=True": "bootstrap_aggregation",
    "it is called 'n_resamples' here": "n_samples resampling",
    "it is called 'confidence' here": "confidence_interval",
    "it is called 'detailed' here": "return_precision_and_recall",
    "it is called 'ignore_index' here": "label_pad_token_id",
    "it is called 'pad' here": "pad_token_id",
    "it is called 'eos' here": "eos_token_id",
    "it is called 'separator' here": "sep_token_id",
    "leave it out; it is not needed": "force",
    "leave it out; references are counted automatically": "num_refs",
    "drop such samples, or leave it out: an empty text scores 0": "ignore_empty",
}
CASES = [(name, remedy) for remedy, names in REMEDIES.items() for name in names.split()]

TEXTS: dict[str, Any] = {"predictions": ["a"], "references": ["a"]}


@pytest.mark.parametrize(("name", "remedy"), CASES)
def test_a_foreign_name_is_an_error_that_says_what_to_write(name: str, remedy: str) -> None:
    with pytest.raises(TypeError) as error:
        Options.from_keywords({name: 1})
    assert str(error.value) == f"Unknown option {name!r}; {remedy}."


@pytest.mark.parametrize(
    ("name", "ours", "is_opposite"),
    [
        ("aggregate", "use_aggregator", False),
        ("avg", "use_aggregator", False),
        ("use_effective_order", "effective_order", False),
        ("lower_case", "lowercase", False),
        ("do_lower_case", "lowercase", False),
        ("stemming", "use_stemmer", False),
        ("smoothing", "smooth", False),
        ("return_precision_and_recall", "detailed", False),
        ("case_sensitive", "lowercase", True),
    ],
)
@pytest.mark.parametrize("value", [True, False])
def test_the_remedy_of_a_foreign_flag_has_its_value(
    name: str, ours: str, *, is_opposite: bool, value: bool
) -> None:
    with pytest.raises(TypeError) as error:
        load().compute(**TEXTS, **{name: value})
    assert str(error.value) == f"Unknown option {name!r}; use {ours}={value != is_opposite}."
    load().compute(**TEXTS, **{ours: value != is_opposite})


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("tokenize", "bleu_tokenizer"),
        ("max_len", "max_order"),
        ("confidence_interval", "confidence"),
        ("rouge_keys", "rouge_types"),
        ("epsilon", "smooth_value"),
    ],
)
def test_a_flag_for_an_option_that_is_no_flag_has_no_value(name: str, ours: str) -> None:
    with pytest.raises(TypeError) as error:
        load().compute(**TEXTS, **{name: True})
    assert str(error.value) == f"Unknown option {name!r}; it is called {ours!r} here."


def test_percent_is_no_option_of_a_score() -> None:
    message = (
        "percent does not apply here. Multiply the scores by 100, or use profile='sacrebleu', "
        "whose BLEU is from 0 to 100."
    )
    given: dict[str, Any] = {"percent": True}
    for call in (bleu_score, rouge_scores, load().compute, compare_profiles):
        with pytest.raises(TypeError) as error:
            call(**TEXTS, **given)
        assert str(error.value) == message
    with pytest.raises(TypeError) as error:
        Scorer(**given)
    assert str(error.value) == message


def test_every_foreign_name_is_tested_and_stands_once() -> None:
    names = Counter(name for name, _ in list_foreign())
    assert names == Counter(name for name, _ in CASES)
    assert not names.keys() & OPTIONS.keys()


def list_examples() -> Iterator[tuple[str, Any]]:
    """The options with values that the remedies name."""
    for remedy in REMEDIES:
        for name, value in re.findall(r"(\w+)=('[\w-]+'|\[[^]]+\]|True|\d+)", remedy):
            # What is left out needs data of NLTK, or is kept as another option.
            left_out = ("stop_words", "sentence_splitter", "use_stemmer", "language")
            if name in OPTIONS and name not in left_out:
                yield name, eval(value)


@pytest.mark.parametrize(("name", "value"), list(list_examples()))
def test_what_a_remedy_names_is_accepted(name: str, value: Any) -> None:
    found = getattr(Options.from_keywords({name: value}), name)
    assert found == (tuple(value) if isinstance(value, list) else value)


def test_every_way_to_give_options_names_ours() -> None:
    message = r"^Unknown option 'smooth_method'; it is called 'smooth' here\.$"
    foreign: dict[str, Any] = {"smooth_method": "exp"}
    with pytest.raises(TypeError, match=message):
        load().compute(**TEXTS, **foreign)
    with pytest.raises(TypeError, match=message):
        bleu_score(["a"], ["a"], **foreign)
    with pytest.raises(TypeError, match=message):
        compare_profiles(["a"], ["a"], **foreign)


CALLS: dict[str, Callable[..., object]] = {
    "bleu_score": bleu_score,
    "rouge_scores": rouge_scores,
    "compare_profiles": compare_profiles,
    "Scorer.update": Scorer().update,
    "compute": load().compute,
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("hypotheses", "references"), "'hypotheses'; it is called 'predictions' here."),
        (("preds", "target"), "'preds'; it is called 'predictions' here."),
        (("predictions", "list_of_references"), "'list_of_references'; it is called 'references' "
         "here."),
        (("prediction", "references"), "'prediction'; did you mean 'predictions'?"),
        (("predictions", "reference"), "'reference'; did you mean 'references'?"),
    ],
)  # fmt: skip
def test_every_function_of_samples_knows_other_names_of_them(
    call: Callable[..., object], given: tuple[str, str], message: str
) -> None:
    with pytest.raises(TypeError) as error:
        call(**{name: ["a"] for name in given})
    assert str(error.value) == f"Unknown option {message}"


@pytest.mark.parametrize("call", [bleu_score, rouge_scores, compare_profiles, Scorer.update])
def test_python_sees_the_arguments_of_a_function_of_samples(call: Callable[..., object]) -> None:
    parameters = inspect.signature(call).parameters
    assert {"predictions", "references"} <= parameters.keys()
    assert call.__doc__
    with pytest.raises(TypeError, match=r"missing .* required positional"):
        call(predictions=["a"])


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("smooth_method", "it is called 'smooth' here"),
        ("refs", "it is called 'references' here"),
        ("force", "leave it out; it is not needed"),
    ],
)
def test_load_says_what_an_option_is_called_in_compute(name: str, remedy: str) -> None:
    with pytest.raises(TypeError) as error:
        load(**{name: "exp"})  # type: ignore[arg-type]
    assert str(error.value) == f"Unknown argument {name!r} of load; in compute {remedy}."
    with pytest.raises(TypeError) as error:
        BleuRougeMetric(**{name: "exp"})  # type: ignore[arg-type]
    assert str(error.value) == f"Unknown argument {name!r} of load; in compute {remedy}."


def test_texts_by_foreign_names_are_an_error_that_names_ours() -> None:
    with pytest.raises(TypeError) as error:
        load().compute(predictions=["a"], refs=["a"])
    assert str(error.value) == "Unknown option 'refs'; it is called 'references' here."


@pytest.mark.parametrize(
    ("option", "value", "meant"),
    [
        ("profile", "HF", "hf"),
        ("profile", "SacreBLEU", "sacrebleu"),
        ("profile", "rouge155", "rouge-1.5.5"),
        ("tokenizer", "13A", "13a"),
        ("rouge_tokenizer", "Unicode", "unicode"),
        ("bleu_tokenizer", "ja_mecab", "ja-mecab"),
        ("smooth", "add_k", "add-k"),
        ("smooth", "Method3", "method3"),
        ("aggregator", "Bootstrap", "bootstrap"),
        ("multi_reference", "avg", "mean"),
        ("multi_reference", "average", "mean"),
        ("multi_reference", "A", "micro"),
        ("multi_reference", "B", "best_recall"),
        ("sentence_splitter", "Punkt", "punkt"),
        ("use_stemmer", "German", "german"),
        ("rouge_types", "rougel", "rougeL"),
        ("rouge_types", "rouge-l", "rougeL"),
        ("rouge_types", "rougeLSum", "rougeLsum"),
        ("rouge_types", "ROUGE-1", "rouge1"),
        ("rouge_types", "rouge_w-1.5", "rougeW-1.5"),
        ("rouge_types", "rouge-su4", "rougeSU4"),
        ("rouge_types", "ROUGE-S*", "rougeS*"),
    ],
)
def test_a_value_that_is_spelled_in_another_way_is_recognised(
    option: str, value: str, meant: str
) -> None:
    with pytest.raises(ValueError, match=r"^Unknown ") as error:
        Options.from_keywords({option: [value] if option == "rouge_types" else value})
    assert str(error.value).endswith(f". Did you mean {meant!r}?")


@pytest.mark.parametrize("value", ["rouge", "rouge-0", "ROUGE-10", "rouge-n", "rouge-w-9"])
def test_nothing_is_proposed_that_is_no_rouge_type(value: str) -> None:
    with pytest.raises(ValueError, match=r"\(or with a gap, 'rougeS4', 'rougeSU4'\)\.$"):
        Options.from_keywords({"rouge_types": [value]})


def test_a_keyword_in_another_case_is_recognised() -> None:
    with pytest.raises(TypeError, match=r"^Unknown option 'Max_Order'; did you mean 'max_order'\?"):
        Options.from_keywords({"Max_Order": 2})


def test_a_smoothing_of_nltk_is_named() -> None:
    with pytest.raises(TypeError, match=r", method7-corrected\. Use smooth='method4'\.$"):
        Options.from_keywords({"smooth": SmoothingFunction().method4})
    with pytest.raises(TypeError, match=r", method7-corrected\.$"):
        Options.from_keywords({"smooth": str.split})


def test_a_tokenizer_with_a_method_is_an_error_that_names_the_method() -> None:
    class Words:
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    with pytest.raises(TypeError) as error:
        Options.from_keywords({"rouge_tokenizer": Words()})
    assert str(error.value) == (
        "rouge_tokenizer is of type Words; expected the name of a tokenizer or a callable "
        "str -> list[str]. Give its method tokenize."
    )
    words = Words().tokenize
    assert Options(rouge_tokenizer=words).rouge_tokenizer == words


def test_a_configuration_in_another_case_is_recognised() -> None:
    with pytest.raises(ValueError, match=r"no configuration for both\. Did you mean 'bleu'\?$"):
        load("BLEU")
