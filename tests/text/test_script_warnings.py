"""Warnings about scripts that a tokenizer does not split, and about words that lose letters."""

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
    bleu_score,
    compare_systems,
    compute_metrics,
    load,
    rouge_scores,
)
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.scripts import LetterLosses, warn_if_unsplit
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer

from ..support.errors import list_warnings

CHINESE = "我喜欢在图书馆里看书和学习"
JAPANESE = "私は図書館で本を読むのが好きです"
THAI = "ฉันชอบอ่านหนังสือในห้องสมุด"
LAO = "ຂ້ອຍມັກອ່ານປຶ້ມຢູ່ຫໍສະໝຸດ"
KHMER = "ខ្ញុំចូលចិត្តអានសៀវភៅនៅក្នុងបណ្ណាល័យ"
BURMESE = "ကျွန်တော်စာကြည့်တိုက်မှာစာဖတ်ရတာကြိုက်တယ်"


def write_message(choice: str, language: str, remedy: str, found: int = 1, of: int = 1) -> str:
    share = f", in {found} of {of} samples looked at" if of > 1 else ""
    return (
        f"The {choice!r} tokenizer leaves {language} text, which has no spaces, in one piece"
        f"{share}, so that hardly anything there can match; use bleu_tokenizer={remedy}."
    )


@pytest.mark.parametrize(
    ("tokenizer", "text", "language", "remedy"),
    [
        *((name, CHINESE, "Chinese", "'zh'") for name in ("13a", "whitespace", "none", "intl")),
        ("13a", "我爱你", "Chinese", "'zh'"),
        ("nltk", JAPANESE, "Japanese", "'ja-mecab' or 'char'"),
        ("zh", THAI, "Thai", "'char' or 'flores200'"),
        ("13a", LAO, "Lao", "'char' or 'flores200'"),
        ("13a", KHMER, "Khmer", "'char' or 'flores200'"),
        ("13a", BURMESE, "Burmese", "'char' or 'flores200'"),
    ],
)
def test_bleu_of_an_unspaced_script_is_warned_of(
    tokenizer: str, text: str, language: str, remedy: str
) -> None:
    expected = write_message(tokenizer, language, remedy)
    for pair in ([text], ["a b"]), (["a b"], [[text, "c"]]):
        with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
            bleu_score(*pair, tokenizer=tokenizer)
        assert len(record) == 1
        assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        ("13a", "我 喜欢 在 图书馆 里 看书 和 学习 。"),
        ("13a", "私 は 図書館 で 本 を 読む の が 好き です 。"),
        ("13a", "ฉัน ชอบ อ่าน หนังสือ ใน ห้องสมุด"),
        ("13a", "The city of 北京市 has twenty million people."),
        ("13a", "café, Привет, नमस्ते, 안녕하세요 여러분"),
        ("13a", "你好"),
        ("13a", "。"),
        ("13a", ""),
        ("zh", CHINESE),
        ("char", THAI),
        ("unicode", JAPANESE),
        ("whitespace", "a" * 100),
    ],
)
def test_what_is_split_is_no_warning(tokenizer: str, text: str) -> None:
    bleu_score([text], [text], tokenizer=tokenizer)


@pytest.mark.parametrize(
    ("options", "text", "language", "remedy"),
    [
        ({"rouge_tokenizer": "xlsum-burmese"}, BURMESE, "Burmese", "my-syllables"),
        ({}, CHINESE, "Chinese", "zh-jieba"),
        ({}, "我爱你。\n我们去。", "Chinese", "zh-jieba"),
        ({}, JAPANESE, "Japanese", "ja-unidic-lite"),
        ({}, THAI, "Thai", "th-pythainlp"),
        ({}, KHMER, "Khmer", "unicode"),
    ],
)
def test_sentences_that_xlsum_leaves_unsplit_are_warned_of(
    options: dict[str, Any], text: str, language: str, remedy: str
) -> None:
    name = options.get("rouge_tokenizer", "xlsum")
    expected = (
        f"The {name!r} tokenizer leaves {language} sentences, which have no spaces, in one piece "
        "for rougeLsum, so that hardly anything there can match; use "
        f"rouge_tokenizer={remedy!r}, which splits sentences, too."
    )
    metric: Any = load("rouge")
    texts = {"predictions": [text], "references": [text]}
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
        metric.compute(**texts, profile="xlsum", **options)
    assert len(record) == 1
    # Other types compare whole texts.
    metric.compute(**texts, profile="xlsum", rouge_types=["rouge1", "rougeL"], **options)


@pytest.mark.parametrize("text", ["абв где", "a b c", "你好", "ကျောင်း သား", BURMESE[:2]])
def test_sentences_that_xlsum_splits_are_no_warning(text: str) -> None:
    for name in ("xlsum", "xlsum-burmese", "my-syllables"):
        rouge_scores([text], [text], rouge_tokenizer=name)


def test_a_callable_is_trusted() -> None:
    bleu_score([CHINESE], [CHINESE], tokenizer=lambda text: text.split())


def test_rouge_and_google_bleu_warn_as_well() -> None:
    with pytest.warns(UserWarning, match=r"use rouge_tokenizer='zh'\.$"):
        rouge_scores([CHINESE], [CHINESE], tokenizer="whitespace")
    with pytest.warns(UserWarning, match=r"use bleu_tokenizer='zh'\.$"):
        load("bleu").compute(predictions=[CHINESE], references=[CHINESE], profile="google_bleu")


@pytest.mark.parametrize("make", [list, pa.array, lambda texts: pa.chunked_array([texts])])
def test_a_tenth_of_the_samples_looked_at_is_enough(make: Any) -> None:
    texts = ["a b c"] * 850 + [CHINESE] * 150
    samples = check_samples(make(texts), make(texts))
    # Every 32nd sample is checked, so the place of the language in the data does not matter.
    expected = write_message("13a", "Chinese", "'zh'", found=5, of=32)
    tokenizer = TOKENIZERS["13a"]
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$"):
        assert warn_if_unsplit(samples, "bleu_tokenizer", tokenizer)
    few = ["a b c"] * 19 + [CHINESE]
    assert not warn_if_unsplit(check_samples(make(few), make(few)), "bleu_tokenizer", tokenizer)


def test_a_scorer_warns_once() -> None:
    scorer = Scorer("bleu")
    with pytest.warns(UserWarning, match="leaves Chinese text"):
        scorer.update([CHINESE], [CHINESE])
    scorer.update([CHINESE], [CHINESE])


def test_only_some_of_many_samples_are_tokenized() -> None:
    tokenized: list[str] = []

    def tokenize(text: str) -> list[str]:
        tokenized.append(text)
        return text.split()

    texts = [CHINESE] * 1_000
    with pytest.warns(UserWarning, match="in 32 of 32 samples"):
        warn_if_unsplit(check_samples(texts, texts), "", Tokenizer("words", tokenize))
    assert 0 < len(tokenized) <= 64


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"tokenizer": "char", "stop_words": ["the", "of"]}, "the 'char' tokenizer"),
        ({"stop_words": ["The", "OF"]}, "the 'rouge' tokenizer"),
        ({"tokenizer": list, "stop_words": ["the"]}, "the rouge_tokenizer"),
    ],
    ids=str,
)
def test_stop_words_that_are_no_tokens_are_warned_of(options: dict[str, Any], name: str) -> None:
    expected = (
        f"stop_words has no effect: none of the words is a token of {name}. Write them as its "
        "tokens are, such as in lower case, or use a rouge_tokenizer that finds words."
    )
    with pytest.warns(UserWarning, match=f"^{re.escape(expected)}$") as record:
        rouge_scores(["the cat"], ["the dog"], **options)
    assert len(record) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"stop_words": ["the", "don't"]},
        {"stop_words": []},
        {"tokenizer": str.split, "stop_words": ["The", "the"]},
        {"tokenizer": "char", "stop_words": ["a"]},
    ],
    ids=str,
)
def test_stop_words_of_which_one_is_a_token_are_no_warning(options: dict[str, Any]) -> None:
    rouge_scores(["the cat"], ["the dog"], **options)


# Words that lose letters to tokenizers that keep ASCII.

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


def make_calls(kind: str) -> list[Callable[[], Any]]:
    """Make the calls of something that scores the German samples several times."""
    if kind == "metric":
        metric = load("rouge")
        return [lambda: metric.compute(**GERMAN)] * 2
    if kind == "functions":
        return [lambda: rouge_scores(**GERMAN, rouge_types=["rouge7"])] * 2
    if kind == "hook":
        hook = compute_metrics(
            lambda rows: [PREDICTIONS[len(ids) - 1] for ids in rows], family="rouge"
        )
        ids = np.array([[5, -100], [5, 6]])
        return [lambda: hook((ids, ids))] * 2
    if kind == "comparison":
        systems = {"a": PREDICTIONS, "b": PREDICTIONS[::-1]}
        return [lambda: compare_systems(systems, REFERENCES, family="rouge", n_resamples=9)]
    scorer = Scorer("rouge")
    update = partial(scorer.update, PREDICTIONS, REFERENCES)
    return [update, scorer.reset, update]


@pytest.mark.parametrize("kind", ["metric", "functions", "hook", "comparison", "scorer"])
def test_the_same_texts_are_warned_of_once(kind: str) -> None:
    assert catch(*make_calls(kind)) == [MESSAGE]


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
