"""The texts of ROUGE-1.5.5, worked by hand: tokens, limits, stop words, stems and exceptions."""

import re
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import Options, rouge_scores
from bleu_rouge_metric.counting.byte_limit import count_rouge_of_bytes, cut_sentences
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.rules import tokenize_rouge155
from bleu_rouge_metric.text.sentences import NEWLINE, split_newline
from bleu_rouge_metric.text.stemmers import stem_perl_porter
from bleu_rouge_metric.text.steps import read_exceptions, resolve_stop_words
from bleu_rouge_metric.text.tokenizer import make_rouge_tokenizer


@pytest.mark.parametrize(
    ("text", "limit", "sentences"),
    [
        ("a b c", 2, ["a b"]),
        ("a-b c d", 2, ["a-b c"]),
        ("a b\nc d", 3, ["a b", "c"]),
        ("a b\n\nc d", 3, ["a b", "c"]),
        ("  a b", 2, ["  a"]),
        ("a\n  b c", 2, ["a"]),
        ("a\xa0b c d", 2, ["a\xa0b c"]),
        ("- a b", 2, ["- a"]),
        ("a b", 9, ["a b"]),
    ],
)
def test_the_word_limit(text: str, limit: int, sentences: list[str]) -> None:
    # A line that begins with white space begins with an empty word.
    options = Options(word_limit=limit, rouge_tokenizer="rouge-1.5.5")
    plan: Any = options.plan().scores["rouge"]
    assert plan.split_sentences(text) == sentences
    tokens = [token for sentence in sentences for token in tokenize_rouge155(sentence)]
    assert plan.tokenizer(text) == tokens


@pytest.mark.parametrize(
    ("text", "limit", "tokens", "sentences"),
    [
        ("ab\ncd\nef", 3, ["ab", "c"], ["ab", "cd", "ef"]),
        ("abc\ncd\nef", 3, ["abc"], ["abc"]),
        ("ab cd ef", 4, ["ab", "c"], ["ab c"]),
        ("é a b", 2, [], ["é"]),
        ("aé b", 2, ["a"], ["a"]),
        ("\n\na b", 2, ["a"], ["a "]),
        ("a\udfffb", 9, ["a", "b"], ["a\udfffb"]),
        ("a\udfffb", 3, ["a"], ["a"]),
    ],
)
def test_the_byte_limit(text: str, limit: int, tokens: list[str], sentences: list[str]) -> None:
    assert make_rouge_tokenizer("rouge-1.5.5", byte_limit=limit)(text) == tokens
    assert list(cut_sentences(split_newline(text), limit)) == sentences


def test_a_byte_limit_counts_other_tokens_for_recall_than_it_clips_by() -> None:
    sample = check_samples(["a b\nc d\ne f"], ["a b\nc d\ne f"])
    tokenize = make_rouge_tokenizer("rouge-1.5.5", byte_limit=5)
    counts = count_rouge_of_bytes(sample, ["rougeW-2", "rouge1", "rougeLsum"], tokenize, NEWLINE, 5)
    assert counts.of("rouge1").tolist() == [[3, 3, 3]]
    assert counts.of("rougeLsum").tolist() == [[3, 3, 6]]
    # The last token of the run "c d" is clipped, so the run does not count.
    assert counts.of("rougeW-2").tolist() == [[4, 3, 12]]


def test_rouge_w_of_weight_1_is_not_rouge_l_under_a_byte_limit() -> None:
    scores = rouge_scores(
        ["a\na b"], ["a\na b"], profile="rouge-1.5.5", rouge_types=["rougeW-1"], byte_limit=3
    )
    # The program prints this with -w 1 -b 3.
    assert [part.tolist() for part in scores["rougeW-1"]] == [[0.5], [0.33333], [0.4]]


def test_sentences_of_any_length_count_under_a_byte_limit() -> None:
    texts, limit = (["b a"], ["a " * 65_536]), 1 << 20
    found = rouge_scores(*texts, profile="rouge-1.5.5", rouge_types=["rougeLsum"], byte_limit=limit)
    assert found["rougeLsum"].recall.tolist() == [2e-05]  # 1 / 65,536, rounded
    message = (
        "A sentence has more than 65535 tokens, the most that ROUGE-W counts: of the prediction "
        "that begins with 'b a', or of its reference that begins with "
        "'a a a a a a a a a a a a a a a a a a a a '. Split it into lines, or leave 'rougeW' out."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        rouge_scores(*texts, profile="rouge-1.5.5", rouge_types=["rougeW"], byte_limit=limit)


def test_a_splitter_splits_under_a_byte_limit_too() -> None:
    texts = ["aa bb cc. dd ee ff. gg hh"], ["dd ee ff. aa bb cc. gg"]
    options: dict[str, Any] = {
        "profile": "rouge-1.5.5",
        "rouge_types": ["rougeL"],
        "sentence_splitter": lambda text: text.split(". "),
    }
    limited = rouge_scores(*texts, byte_limit=100, **options)["rougeL"]
    plain = rouge_scores(*texts, **options)["rougeL"]
    assert limited.fmeasure.tolist() == plain.fmeasure.tolist() == [0.93333]


def test_stop_words_go_before_the_stemmer_and_short_words_are_left_alone() -> None:
    tokenize = make_rouge_tokenizer(
        "rouge-1.5.5",
        use_stemmer=True,
        stop_words=resolve_stop_words({"the", "goes"}),
        stemmer_exceptions={"geese": "goose", "ran": "run"},
    )
    assert tokenize("The geese ran; it goes and went going") == [
        *("goose", "ran", "it", "and", "went", "go"),
    ]


def test_the_stems_of_the_program() -> None:
    words = "caresses ponies agreed hopping filing happy sky relational possibly psychology"
    stems = "caress poni agre hop file happi sky relat possibl psycholog"
    assert [*map(stem_perl_porter, words.split())] == stems.split()
    words = "controlling youth yyyy governmental traditionally governmention"
    stems = "control youth yyyi govern tradit government"
    assert [*map(stem_perl_porter, words.split())] == stems.split()


def test_exceptions_are_read_from_files_and_folders_in_order(tmp_path: Path) -> None:
    (tmp_path / "adj.exc").write_text("best good well\n\n")
    (tmp_path / "noun.exc").write_text("geese goose\nbest best\n")
    (tmp_path / "note.txt").write_text("no\n")
    forms = {"best": "best", "geese": "goose"}
    assert read_exceptions(tmp_path) == read_exceptions([str(tmp_path)]) == forms
    files: list[str | Path] = [tmp_path / "noun.exc", str(tmp_path / "adj.exc")]
    assert read_exceptions(files) == {"best": "good", "geese": "goose"}


def test_errors_of_exceptions_name_the_place(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("geese goose\noxen\n")
    cases: list[tuple[Any, str]] = [
        (
            file,
            f"{file}, line 2, has one column, 'oxen'; expected an inflected form and its base "
            "form, as in 'geese goose'.",
        ),
        (
            tmp_path,
            f"stemmer_exceptions: the folder {tmp_path} has no file named *.exc; give the folder "
            "of WordNet's noun.exc, verb.exc, adj.exc and adv.exc.",
        ),
        ("no/such.exc", "stemmer_exceptions: there is no file or folder no/such.exc."),
        ([3], "stemmer_exceptions has 3 (int); expected the path of a file or of a folder."),
    ]
    for paths, text in cases:
        with pytest.raises((TypeError, ValueError), match=f"^{re.escape(text)}$"):
            read_exceptions(paths)


def test_the_stop_words_of_nltk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import nltk.data
    from nltk.corpus import LazyCorpusLoader, WordListCorpusReader

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])

    def resolve(name: str) -> frozenset[str]:
        loader = LazyCorpusLoader("stopwords", WordListCorpusReader, r"(?!README|\.).*")
        monkeypatch.setattr("nltk.corpus.stopwords", loader)
        return resolve_stop_words(name)

    message = (
        "stop_words is 'english', but NLTK's lists of stop words are not installed. Run: python -m "
        "nltk.downloader stopwords. Or give the words themselves."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        resolve("english")
    lists = tmp_path / "corpora" / "stopwords"
    lists.mkdir(parents=True)
    (lists / "english").write_text("the\nof\n")
    assert resolve("english") == {"the", "of"}
    message = "stop_words is 'klingon'; expected the words themselves, or one of english."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        resolve("klingon")
