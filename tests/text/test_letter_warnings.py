"""Warnings about words that lose letters to tokenizers that keep ASCII."""

import pickle
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from bleu_rouge_metric import (
    PairScorer,
    Scorer,
    compare_systems,
    compute_metrics,
    load,
    rouge_scores,
)
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.scripts import LetterLosses

from ..support.engine_cases import read_corpus
from ..support.warning_texts import list_warnings

PREDICTIONS = ["Die Prüfung für Gäste", "Er übt früh"]
REFERENCES = ["Wir fahren nach Köln", "Sie hört zu"]
GERMAN: dict[str, Any] = {"predictions": PREDICTIONS, "references": REFERENCES}

MESSAGE = (
    "The 'rouge' tokenizer keeps only ASCII letters and digits, so that words such as 'Prüfung', "
    "'für' and 'Gäste' lose letters; use rouge_tokenizer='unicode', which finds the words of every "
    "language."
)
ENGINE_MESSAGE = MESSAGE.replace("such as 'Prüfung', 'für' and 'Gäste'", "with other letters")


catch = partial(list_warnings, pattern="letters")


def test_a_metric_warns_once() -> None:
    metric = load("rouge")
    compute = lambda: metric.compute(**GERMAN)  # noqa: E731 - called twice
    assert catch(compute, compute) == [MESSAGE]


def test_a_metric_looks_at_each_data_set() -> None:
    metric = load("rouge")
    english = ["the cat sat"] * 100
    assert not catch(lambda: metric.compute(predictions=english, references=english))
    assert catch(lambda: metric.compute(**GERMAN)) == [MESSAGE]


def test_the_remedy_is_right() -> None:
    texts: dict[str, Any] = {
        "predictions": ["für", "Gäste", "Prüfung"],
        "references": ["fällt", "Gänge", "prägen"],
    }
    assert catch(lambda: load("rouge").compute(**texts))
    assert not catch(lambda: load("rouge").compute(**texts, rouge_tokenizer="unicode"))
    unicode: dict[str, Any] = {"rouge_tokenizer": "unicode"}
    for options, fmeasure in ({}, 0.5), (unicode, 0):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = rouge_scores(**texts, rouge_types=["rouge1"], **options)
        # Of "für" and "fällt" the tokenizer leaves "f" and "r", and "f" and "llt".
        assert found["rouge1"].fmeasure.tolist() == [fmeasure] * 3


def test_functions_warn_once_for_the_same_options() -> None:
    score = lambda: rouge_scores(**GERMAN, rouge_types=["rouge7"])  # noqa: E731
    assert catch(score, score) == [MESSAGE]


def test_a_scorer_warns_once_also_after_a_reset() -> None:
    scorer = Scorer("rouge")
    update = lambda: scorer.update(PREDICTIONS, REFERENCES)  # noqa: E731
    assert catch(update, scorer.reset, update) == [MESSAGE]


def test_a_scorer_looks_at_small_batches_together() -> None:
    scorer = Scorer("rouge")
    words = ["für", "Gäste", "Prüfung"]
    calls = [lambda word=word: scorer.update([f"alle {word}"], ["alle"]) for word in words]
    assert not catch(*calls[:2])
    assert catch(*calls[2:]) == [
        MESSAGE.replace("'Prüfung', 'für' and 'Gäste'", "'für', 'Gäste' and 'Prüfung'")
    ]


def test_a_pair_scorer_warns_once() -> None:
    score = PairScorer("rougeL")
    found = catch(
        *[partial(score, *pair) for pair in zip(PREDICTIONS, REFERENCES, strict=True)] * 3
    )
    assert len(found) == 1
    assert found[0].startswith("The 'rouge' tokenizer keeps only ASCII letters and digits")


def test_a_hook_warns_once() -> None:
    hook = compute_metrics(lambda rows: [PREDICTIONS[len(ids) - 1] for ids in rows], family="rouge")
    ids = np.array([[5, -100], [5, 6]])
    assert catch(lambda: hook((ids, ids)), lambda: hook((ids, ids))) == [MESSAGE]


def test_counts_of_engines_warn_once_where_they_meet() -> None:
    table = {"prediction": PREDICTIONS, "reference": REFERENCES}
    counted: list[Any] = []
    count = lambda: counted.append(count_batch(table, family="rouge"))  # noqa: E731
    assert catch(count, count) == []
    assert [batch["lost"] for batch in counted] == [[8, 8]] * 2
    assert catch(lambda: reduce_counts(counted, family="rouge")) == [ENGINE_MESSAGE]


def test_both_families_are_named_if_both_tokenizers_drop_letters() -> None:
    found = catch(lambda: load().compute(**GERMAN, tokenizer="rouge"))
    assert found == [MESSAGE.replace("use rouge", "use bleu"), MESSAGE]
    batch = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, tokenizer="rouge")
    assert batch["lost"] == [12, 12]


def test_a_comparison_warns_once() -> None:
    systems = {"a": PREDICTIONS, "b": PREDICTIONS[::-1]}
    assert catch(lambda: compare_systems(systems, REFERENCES, family="rouge", n_resamples=9)) == [
        MESSAGE
    ]


def test_a_text_of_which_nothing_is_left_has_its_own_warning() -> None:
    texts = ["кошка спит", "собака ест", "птица поёт"]
    assert not catch(lambda: load("rouge").compute(predictions=texts, references=texts))
    with pytest.warns(UserWarning, match="leaves nothing of"):
        load("rouge").compute(predictions=texts, references=texts)


def test_other_scripts_beside_digits_lose_letters_too() -> None:
    texts = ["3 кошки спят", "2 собаки"]
    (message,) = catch(lambda: load("rouge").compute(predictions=texts, references=texts))
    assert message == MESSAGE.replace(
        "'Prüfung', 'für' and 'Gäste'", "'кошки', 'спят' and 'собаки'"
    )


@pytest.mark.parametrize("tokenizer", ["unicode", "char", "13a", str.split])
def test_other_tokenizers_keep_letters(tokenizer: Any) -> None:
    assert not catch(lambda: load("rouge").compute(**GERMAN, rouge_tokenizer=tokenizer))


@pytest.mark.parametrize("make", [list, tuple, np.array, pa.array])
def test_texts_of_any_container_are_read(make: Callable[[list[str]], Any]) -> None:
    losses = LetterLosses()
    losses.add(check_samples(make(PREDICTIONS), make(REFERENCES)))
    assert losses.words == ["Prüfung", "für", "Gäste", "übt", "früh", "Köln", "hört"]


@pytest.mark.parametrize(
    ("texts", "has_many"),
    [
        (["für Gäste übt"], True),
        (["fu\u0308r Ga\u0308ste u\u0308bt"], True),  # letters with separate accents
        (["für Gäste", "für Gäste", "FÜR GÄSTE"], False),  # two different words
        (["Café"] * 32, False),
        (["für Gäste übt" + " the" * 230], False),  # one word per 300 characters is too few
        (["für Gäste übt" + " the" * 200], True),
        (["“quoted” — it’s £5, 20 °C, ½ …"] * 32, False),  # signs are no letters
        (["\ud800 für Gäste übt"], True),
        (["", " "], False),
    ],
)
def test_three_words_and_one_in_300_characters_are_many(texts: list[str], has_many: bool) -> None:
    losses = LetterLosses()
    losses.read(texts)
    assert losses.has_many is has_many


def test_only_the_first_samples_are_read() -> None:
    losses = LetterLosses()
    losses.add(check_samples(["a"] * 31, ["a"] * 31))
    losses.add(check_samples(["b", *PREDICTIONS], ["b", *REFERENCES]))
    losses.add(check_samples(PREDICTIONS, REFERENCES))
    assert (losses.looked_at, losses.words) == (32, [])


def test_what_was_read_is_judged_once_per_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []
    monkeypatch.setattr(
        LetterLosses, "has_many", property(lambda losses: judged.append(losses.looked_at))
    )
    scorer = Scorer("rouge")
    for _ in range(40):
        scorer.update(["a café"], ["a café"])
    assert judged == [*range(1, 33)]


@pytest.mark.filterwarnings("ignore:The 'rouge' tokenizer keeps only ASCII")
@pytest.mark.parametrize("word", ["café", "für Gäste, Prüfung"], ids=["no warning", "a warning"])
def test_no_word_is_kept_once_all_is_known(word: str) -> None:
    scorer = Scorer("rouge")
    for _ in range(40):
        scorer.update([f"a {word}"], [f"a {word}"])
    assert scorer._texts._letters.words == []
    assert b"caf" not in pickle.dumps(scorer)


def test_long_words_are_cut() -> None:
    long = ["ä" * 50, "ö" * 50, "ü" * 50]
    (message,) = catch(
        lambda: load("rouge").compute(predictions=[f"a {w}" for w in long], references=long)
    )
    assert re.findall("'(ä+)'", message) == ["ä" * 30]


@pytest.mark.parametrize(
    ("corpus", "has_many"),
    [
        ("cnndm_bart_cased", False),
        ("dailydialog_5refs", False),
        ("e2e_tgen_multiref", False),
        ("summeval_11refs", False),
        ("ted_slk_en", False),
        ("xsum_convs2s", False),
        ("wmt17_en_de", True),
    ],
)
def test_real_corpora(corpus: str, has_many: bool) -> None:
    table = read_corpus(corpus)
    found = set()
    # Each sample may be the first one.
    for start in range(0, table.num_rows, 8):
        part = table.slice(start, 32)
        losses = LetterLosses()
        losses.add(check_samples(part["prediction"], part["reference"]))
        found.add(losses.has_many)
    assert found == {has_many}
