"""All tokenizers: texts worked by hand (``tokens.json``), laws, time, errors, and a new one."""

import json
import re
import time
from pathlib import Path
from typing import Any, Final
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import bleu_score, rouge_scores
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.text.align import MappedText, align_tokens, normalize_nfkc
from bleu_rouge_metric.text.sentences import resolve_sentence_splitter
from bleu_rouge_metric.text.stemmers import porter_stems
from bleu_rouge_metric.text.strip import compile_strip
from bleu_rouge_metric.text.tokenizer import (
    TOKENIZERS,
    Tokenizer,
    add_stemmer,
    make_rouge_tokenizer,
    resolve_tokenizer,
)

from ..support.errors import call_wrongly, read_errors
from ..support.kernel_tokens import list_kernel_tokenizers, tokenize_natively
from ..support.strategies import SEPARATORS, any_texts

OURS = [tokenizer for tokenizer in TOKENIZERS.values() if not tokenizer.needs]
# Between two spaces is one, or before the first and behind the last.
WITH_EMPTY = ("space", "korouge")
EVERY_ONE = [*OURS, *(tokenizer.stemmed for tokenizer in OURS if tokenizer.stemmed)]


@given(any_texts)
def test_a_newline_separates_tokens_as_the_end_of_a_text_does(text: str) -> None:
    for tokenize in EVERY_ONE:
        if not tokenize.keeps_lines:
            continue
        lines = [token for line in text.split("\n") for token in tokenize(line)]
        assert tokenize(text) == lines


@pytest.mark.parametrize("separator", SEPARATORS)
def test_no_tokenizer_returns_an_empty_token(separator: str) -> None:
    for tokenize in EVERY_ONE:
        if tokenize.name in WITH_EMPTY:
            continue
        assert all(tokenize(f"{separator}a{separator}{separator}b{separator}"))


def test_porter_is_for_the_tokenizers_of_rouge() -> None:
    rouge, rouge155, char = (TOKENIZERS[name] for name in ("rouge", "rouge-1.5.5", "char"))
    assert add_stemmer(rouge, stemmer=True)("running") == ["run"]
    assert add_stemmer(rouge155, stemmer=True)("running") == ["run"]
    assert add_stemmer(char, stemmer=True) is char


def test_a_callable_has_the_name_of_its_function() -> None:
    class Words:
        def __call__(self, text: str) -> list[str]:
            return text.split()

    names = [resolve_tokenizer("tokenizer", choice).name for choice in (str.split, Words())]
    assert names == ["split", "Words"]


def test_what_is_made_of_a_row_is_not_taken_for_it() -> None:
    # Without its steps, the kernel would count the tokens of the row itself.
    made = [
        add_stemmer(TOKENIZERS["13a"], "german"),
        make_rouge_tokenizer("rouge", stop_words={"the"}),
        make_rouge_tokenizer("rouge", word_limit=3),
        make_rouge_tokenizer("rouge-1.5.5", use_stemmer=True),
        resolve_tokenizer("tokenizer", str.split),
    ]
    assert [
        (tokenizer.kernel_name, tokenizer.truncation is not None, tokenizer.forms is not None)
        for tokenizer in made
    ] == [
        ("13a", False, True),
        ("rouge", False, True),
        ("rouge", True, False),
        ("rouge-1.5.5", False, True),
        (None, False, False),
    ]
    assert [tokenizer.keeps_lines for tokenizer in made] == [False, True, False, True, False]


def test_a_segmenter_is_for_unicode() -> None:
    tokenize = resolve_tokenizer("tokenizer", "unicode", segmenter=lambda run: [run[:2], run[2:]])
    assert tokenize("北京大学!") == ["北京", "大学"]


def test_a_callable_is_used_and_a_tuple_is_as_good_as_a_list() -> None:
    tokenize = resolve_tokenizer("tokenizer", lambda text: tuple(text.split("-")))  # type: ignore[arg-type,return-value]
    assert tokenize("a-b") == ["a", "b"]


HERE: Final = Path(__file__).parent
NAMES: Final = {
    "Options": Options,
    "TOKENIZERS": TOKENIZERS,
    "add_stemmer": add_stemmer,
    "compile_strip": compile_strip,
    "re": re,
    "resolve_sentence_splitter": resolve_sentence_splitter,
    "resolve_tokenizer": resolve_tokenizer,
    "rouge_scores": rouge_scores,
}


@pytest.mark.parametrize(("call", "error"), read_errors(HERE / "errors.txt"))
def test_errors(call: str, error: str) -> None:
    assert call_wrongly(call, NAMES) == error


# Texts worked by hand, and long ones.

ROWS: Final = {name: row for name, row in TOKENIZERS.items() if not row.needs and name != "ids"}
SENTENCES: Final = TOKENIZERS["xlsum"].of_sentences
assert SENTENCES is not None
BY_NAME: Final = {**ROWS, "xlsum_line": SENTENCES}

# Tokenizer, text, tokens and, if they differ, the slices of the text that they come from.
CASES: Final = json.loads((HERE / "tokens.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=ascii)
def test_tokens(case: list[Any]) -> None:
    name, text, tokens, *slices = case
    tokenizer = BY_NAME[name]
    assert tokenizer(text) == tokens
    placed = align_tokens(text, MappedText.of(text), tokenizer)
    assert [token.form for token in placed] == tokens
    assert [text[token.start : token.end] for token in placed] == [token.text for token in placed]
    assert slices in ([], [[token.text for token in placed]])
    if name in list_kernel_tokenizers():
        assert tokenize_natively([text], name) == [tokens]


# Each takes long in some program: pieces repeated, and all marks of one class before the others.
LENGTH: Final = 8_000
PIECES: Final = json.loads((HERE / "repetitions.json").read_text("utf-8"))
LONG: Final = [
    "\u0345" * (LENGTH // 2) + "\u0334" * (LENGTH // 2),
    *((piece * LENGTH)[:LENGTH] for piece in PIECES),
]


@pytest.mark.parametrize("tokenizer", BY_NAME.values(), ids=BY_NAME)
def test_repetitions_take_linear_time(tokenizer: Tokenizer) -> None:
    def measure(text: str) -> float:
        times: list[float] = []
        while len(times) < 3 and min(times, default=1) > 0.02:
            start = time.process_time()
            tokenizer(text)
            times.append(time.process_time() - start)
        return min(times)

    # Eight times the text takes eight times as long, or 64 times if the time were quadratic; what
    # takes less than 20 ms cannot be told apart. Time of the processor: that of a busy machine's
    # other processes does not count.
    for text in LONG:
        if measure(text) > 0.02:
            part = text[LENGTH * 7 // 16 : LENGTH * 9 // 16]
            assert measure(text) < max(30 * measure(part), 0.02), text[:20]


MARKS: Final = "\u0301\u0316\u0334\u0345\u0323\u05b0\u3099\uff9e\u0344\u0f73\u0f81\u093c\u1e69"
STARTERS: Final = "ae\u00e9\u1100\u1161\u11a8\uac00\u304b\u0b47\u0b56\ufb01\u212b\u0958 "


@given(st.lists(st.tuples(st.sampled_from(MARKS + STARTERS), st.integers(1, 300)), max_size=12))
def test_runs_of_marks_are_normalized_as_unicodedata_does(runs: Any) -> None:
    text = "".join(character * count for character, count in runs)
    mixed = "".join(character for character, _ in runs) * 40
    for each in (text, mixed, text + mixed):
        assert normalize_nfkc(each) == normalize("NFKC", each)
        assert MappedText.of(each).normalize().text == normalize("NFKC", each)


# A tokenizer is one row of the registry: a made-up row can be used by its name.

THAI = "ฉันชอบอ่านหนังสือมากในวันหยุดสุดสัปดาห์"


def split_commas(text: str) -> list[str]:
    return [part for part in re.split("[,\n]", text) if part]


@pytest.fixture
def commas(monkeypatch: pytest.MonkeyPatch) -> Tokenizer:
    """Make a tokenizer with every property."""

    def stem(text: str) -> list[str]:
        return [porter_stems()[part] for part in split_commas(text)]

    row = Tokenizer(
        "commas",
        split_commas,
        keeps_lines=True,
        keeps_ascii=True,
        leaves_unsplit=True,
        stems=porter_stems,
        stemmed=Tokenizer("commas", stem, keeps_lines=True),
        segmented=lambda segment: lambda text: segment(text)[::-1],
    )
    monkeypatch.setitem(TOKENIZERS, "commas", row)
    return row


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
def test_all_options_know_its_name() -> None:
    (score,) = rouge_scores(
        ["running"], ["runs"], tokenizer="commas", use_stemmer=True, rouge_types=["rouge1"]
    ).values()
    assert score.fmeasure == 1.0
    options = Options(tokenizer="commas", segmenter=str.split)
    assert options.plan().scores["bleu"].tokenizer("a b") == ["b", "a"]
    line = Options(tokenizer="commas").write_signature()
    assert "|bleu_tokenizer:commas|" in line
    assert Options.from_signature(line).rouge_tokenizer == "commas"
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
