"""A tokenizer is one row of the registry: a made-up row can be used by its name."""

import re

import pytest

from bleu_rouge_metric import bleu_score, rouge_scores
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.text.stemmers import porter_stems
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenize, Tokenizer

THAI = "ฉันชอบอ่านหนังสือมากในวันหยุดสุดสัปดาห์"


def split_commas(text: str) -> list[str]:
    return [part for part in re.split("[,\n]", text) if part]


def stem_commas(text: str) -> list[str]:
    return [porter_stems()[part] for part in split_commas(text)]


def reverse(segment: Tokenize) -> Tokenize:
    return lambda text: segment(text)[::-1]


@pytest.fixture
def commas(monkeypatch: pytest.MonkeyPatch) -> Tokenizer:
    """Make a tokenizer with every property."""
    row = Tokenizer(
        "commas",
        split_commas,
        keeps_lines=True,
        keeps_ascii=True,
        leaves_unsplit=True,
        stems=porter_stems,
        stemmed=Tokenizer("commas", stem_commas, keeps_lines=True),
        segmented=reverse,
    )
    monkeypatch.setitem(TOKENIZERS, "commas", row)
    return row


@pytest.mark.usefixtures("commas", "kernel")
def test_a_new_row_is_scored_by_its_name() -> None:
    score = bleu_score(["a b,c\nd"], ["a b,c"], tokenizer="commas", max_order=1)
    assert score.precisions == [2 / 3]
    scores = rouge_scores(
        ["a b,c\nd"], ["a b\nd,c"], tokenizer="commas", rouge_types=["rouge1", "rougeLsum"]
    )
    assert scores["rouge1"].precision == 1.0
    assert scores["rougeLsum"].recall == 1.0


@pytest.mark.usefixtures("kernel")
def test_the_scores_are_those_of_its_function(commas: Tokenizer) -> None:
    texts = ["running,the cat\nsat", "a,b"], ["the cat,running\nsat,up", "b\na"]
    types = ["rouge1", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS4"]
    assert bleu_score(*texts, tokenizer="commas") == bleu_score(*texts, tokenizer=commas.function)
    named = rouge_scores(*texts, tokenizer="commas", rouge_types=types)
    expected = rouge_scores(*texts, tokenizer=commas.function, rouge_types=types)
    for name in types:
        assert named[name].fmeasure.tolist() == expected[name].fmeasure.tolist()


@pytest.mark.usefixtures("commas")
def test_it_may_have_the_porter_stemmer() -> None:
    (score,) = rouge_scores(
        ["running"], ["runs"], tokenizer="commas", use_stemmer=True, rouge_types=["rouge1"]
    ).values()
    assert score.fmeasure == 1.0


@pytest.mark.usefixtures("commas")
def test_it_may_have_a_segmenter() -> None:
    options = Options(tokenizer="commas", segmenter=str.split)
    assert options.plan().scores["bleu"].tokenizer("a b") == ["b", "a"]


@pytest.mark.usefixtures("commas")
def test_a_signature_has_its_name() -> None:
    line = Options(tokenizer="commas").write_signature()
    assert "|bleu_tokenizer:commas|" in line
    assert Options.from_signature(line).rouge_tokenizer == "commas"


@pytest.mark.usefixtures("commas")
def test_an_unknown_name_is_told_of_it() -> None:
    with pytest.raises(ValueError, match=r"'xlsum-thai', 'commas' or a callable"):
        Options(tokenizer="comma")


@pytest.mark.usefixtures("commas")
def test_its_warnings_follow_its_row() -> None:
    with pytest.warns(UserWarning, match=r"^The 'commas' tokenizer leaves Thai text"):
        bleu_score([THAI], [THAI], tokenizer="commas")
    with pytest.warns(UserWarning, match=r"^use_stemmer='german' stems parts of words"):
        Options(rouge_tokenizer="commas", use_stemmer="german")
    names = "'rouge', 'rouge-1.5.5', 'xlsum', 'korouge', 'google-adk' and 'commas'"
    with pytest.warns(UserWarning, match=f"only the tokenizers {names} have the Porter stemmer"):
        Options(rouge_tokenizer="char", use_stemmer=True)


def test_what_a_row_needs_is_loaded_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def tokenize(_: str) -> list[str]:
        raise ImportError("no dictionary")

    monkeypatch.setitem(TOKENIZERS, "commas", Tokenizer("commas", tokenize, needs="commas[en]"))
    message = (
        "The tokenizer 'commas' needs a package or a dictionary "
        "that is not installed. Install it with: "
        "pip install commas[en]"
    )
    with pytest.raises(ImportError, match=f"^{re.escape(message)}$"):
        Options(tokenizer="commas")
