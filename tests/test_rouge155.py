"""ROUGE-1.5.5: every number of the goldens, and of the program itself on generated texts."""

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric.byte_limits import count_rouge_of_bytes
from bleu_rouge_metric.counts import count_rouge
from bleu_rouge_metric.inputs import check_samples
from bleu_rouge_metric.perl_porter import stem_perl_porter
from bleu_rouge_metric.program_bootstrap import program_intervals
from bleu_rouge_metric.rouge155 import make_splitter, make_tokenizer, tokenize_rouge155
from bleu_rouge_metric.rouge_formulas import make_rouge_rules
from bleu_rouge_metric.rouge_policies import score_samples
from bleu_rouge_metric.word_lists import read_exceptions, resolve_stop_words

from . import perl_rouge
from .goldens import DATA, read_golden

PROBES = DATA / "peer_suites" / "rouge155_probes.json.gz"
needs_goldens = pytest.mark.skipif(
    not PROBES.exists(), reason="the goldens are not at ../shared/data"
)


@cache
def _exceptions() -> dict[str, str]:
    return read_exceptions(perl_rouge.exception_files())


def _score(
    predictions: list[str], references: list[list[str]], options: str, names: list[str]
) -> dict[str, list[list[float]]]:
    """Precision, recall and F of every sample, by the program's names and for its options."""
    words = options.split()
    given = {word: words[place + 1] for place, word in enumerate(words[:-1])}
    limits = {
        name: int(given[flag])
        for name, flag in (("word_limit", "-l"), ("byte_limit", "-b"))
        if flag in given
    }
    tokenize = make_tokenizer(
        use_stemmer="-m" in words,
        stemmer_exceptions=_exceptions() if "-m" in words else None,
        stop_words=perl_rouge.stop_words() if "-s" in words else frozenset(),
        **limits,
    )
    rules = make_rouge_rules(
        formula="rouge-1.5.5",
        beta=(1 / float(given.get("-p", "0.5")) - 1) ** 0.5,
        multi_reference="best_recall" if given.get("-f") == "B" else "micro",
    )
    types = [name.replace("ROUGE-", "rouge") for name in names]
    types = ["rougeLsum" if name == "rougeL" else name for name in types]
    samples = check_samples(predictions, references)
    if "-b" in given:
        counts = count_rouge_of_bytes(samples, types, tokenize, limits["byte_limit"])
    else:
        counts = count_rouge(samples, types, tokenize, make_splitter(**limits))
    scores = {}
    for name, rouge_type in zip(names, types, strict=True):
        score = score_samples(counts.of(rouge_type), samples.offsets, rules, rouge_type)
        scores[name] = np.stack(score, axis=1).tolist()
    return scores


def _check_run(predictions: list[str], references: list[list[str]], run: dict[str, Any]) -> None:
    names = list(run["per_item"])
    scores = _score(predictions, references, run["options"], names)
    for name in names:
        # Where the program divided by zero there is no score.
        died = [place for place, row in enumerate(run["per_item"][name]) if row is None]
        for place in died:
            scores[name][place] = None  # type: ignore[call-overload]
        assert scores[name] == run["per_item"][name], name
        if "average_low_high" in run:
            found = program_intervals(np.array(scores[name]).T).T.tolist()
            assert found == [run["average_low_high"][name][part] for part in "PRF"], name


@needs_goldens
@pytest.mark.parametrize(
    "corpus", ["cnndm_bart_cased", "cnndm_simcls_nl", "duc2004_4refs_nl", "summeval_11refs"]
)
def test_corpora_equal_the_program_digit_for_digit(corpus: str) -> None:
    golden = read_golden(corpus)
    items = golden.scores["rouge155"]["items"]
    assert len(golden.scores["rouge155"]["runs"]) >= 4
    for run in golden.scores["rouge155"]["runs"].values():
        _check_run(golden.predictions[:items], golden.references[:items], run)


@needs_goldens
@pytest.mark.parametrize(
    "run",
    [
        *("A", "A/m", "A/s", "A/m/s", "B", "B/m", "A/skip0", "A/skip1", "A/skipall"),
        *("A/w2", "A/w1.5", "A/p0.8", "A/l7", "A/b20"),
    ],
)
def test_probes_equal_the_program_digit_for_digit(run: str) -> None:
    probes = json.loads(gzip.decompress(PROBES.read_bytes()))
    predictions = [item["prediction"] for item in probes["items"]]
    references = [item["references"] for item in probes["items"]]
    _check_run(predictions, references, probes["runs"][run])


WORDS = [
    *("a", "b", "c", "the", "The", "is", "be", "ran", "running", "geese", "goose", "best", "good"),
    *("governmental", "government", "traditionally", "children", "well-known", "U.S.", "don't"),
    *("$5", "3.5", "café", "\u0130x", "\u212aelvin", "日本", "-", ".", ""),
]
SEPARATORS = [" ", " ", " ", "  ", "\n", "\n\n", "\n ", "\t", "\r\n", "\v", "\x1c", "\x85", "\xa0"]
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SEPARATORS)), max_size=20).map(
    lambda pairs: "".join(word + separator for word, separator in pairs)
)
samples = st.lists(
    # Most references begin with a token, or ROUGE-W would nearly always divide by zero.
    st.tuples(
        texts,
        st.lists(texts.map(lambda text: "q1 " + text) | texts, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(scope="module")
def program_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return perl_rouge.prepare(tmp_path_factory.mktemp("rouge155"))


@perl_rouge.needs_perl
@pytest.mark.parametrize(
    "options",
    [
        "-n 2",
        "-n 2 -2 1 -U -w 1.2",
        "-n 2 -2 -1 -U -w 1.2 -f B -m",
        "-n 1 -2 4 -w 1.5 -s -m -p 0.2",
        "-n 2 -2 2 -U -w 1.2 -l 5",
        "-n 2 -2 2 -U -w 1.2 -b 14",
        "-n 2 -w 1.2 -f B -b 20 -m -s",
    ],
)
@given(generated=samples)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_generated_texts_equal_the_program(
    program_folder: Path, options: str, generated: list[tuple[str, list[str]]]
) -> None:
    predictions = [prediction for prediction, _ in generated]
    references = [sample for _, sample in generated]
    options += " -r 50"
    printed = perl_rouge.run(program_folder, predictions, references, options)
    if printed is None:
        # ROUGE-W divides by zero where no token of a reference is left; the others are 0 there.
        options = re.sub(r"-w \S+", "", options)
        printed = perl_rouge.run(program_folder, predictions, references, options)
    assert printed is not None
    scores = _score(predictions, references, options, list(printed.samples))
    assert scores == printed.samples
    for name, rows in scores.items():
        found = program_intervals(np.array(rows).T, n_resamples=50)
        assert found.T.tolist() == printed.intervals[name]


@perl_rouge.needs_perl
@pytest.mark.parametrize(
    ("n_resamples", "confidence"), [(1, 95), (2, 95), (7, 95), (10, 80), (9, 1), (333, 99.9)]
)
def test_intervals_equal_the_program(
    program_folder: Path, n_resamples: int, confidence: float
) -> None:
    predictions = ["a b", "c", "a c b", "d e f", "a", "b b", "c a", "f", "e a", "g", "a d", "c b"]
    references = [["a b c d e"]] * 12
    options = f"-n 1 -r {n_resamples} -c {confidence}"
    printed = perl_rouge.run(program_folder, predictions, references, options)
    assert printed is not None
    rows = np.array(printed.samples["ROUGE-1"]).T
    found = program_intervals(rows, n_resamples, confidence / 100)
    assert found.T.tolist() == printed.intervals["ROUGE-1"]


STEM_PARTS = [
    *("govern", "tradi", "cap", "rel", "y", "e", "abl", "tt", "o", "x1", "ss", "iz", "eed", "s"),
    *("ational", "tional", "enci", "izer", "bli", "alli", "logi", "ative", "alize", "ical", "ness"),
    *("al", "ence", "er", "ible", "ant", "ement", "ment", "ent", "tion", "sion", "ism", "ate"),
    *("iti", "ous", "ive", "ing", "ed", "ly", "ies", "ll"),
]


@perl_rouge.needs_perl
@given(st.lists(st.lists(st.sampled_from(STEM_PARTS), min_size=1, max_size=4), min_size=40))
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_words_that_stem_alike_are_those_of_the_program(
    program_folder: Path, words: list[list[str]]
) -> None:
    """Each word beside itself without its last part, and beside what its stem is here."""
    pairs = []
    for parts in words:
        word = "".join(parts)
        stem = stem_perl_porter(word) if len(word) > 3 else word
        pairs += [(word, "".join(parts[:-1]) or word), (word, stem)]
    predictions, references = [word for word, _ in pairs], [[other] for _, other in pairs]
    printed = perl_rouge.run(program_folder, predictions, references, "-n 1 -m")
    assert printed is not None
    assert (
        _score(predictions, references, "-m", ["ROUGE-1"])["ROUGE-1"] == printed.samples["ROUGE-1"]
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("A well-known fact.", ["a", "well", "known", "fact"]),
        ("café $5 a$b", ["caf", "5", "a", "b"]),
        ("\u212a\u0130", []),
        ("a_b\nc", ["a", "b", "c"]),
    ],
)
def test_tokens_are_runs_of_ascii_letters_and_digits(text: str, tokens: list[str]) -> None:
    assert tokenize_rouge155(text) == make_tokenizer()(text) == tokens


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
    assert make_splitter(word_limit=limit)(text) == sentences
    tokens = [token for sentence in sentences for token in tokenize_rouge155(sentence)]
    assert make_tokenizer(word_limit=limit)(text) == tokens


@pytest.mark.parametrize(
    ("text", "limit", "tokens", "sentences"),
    [
        ("ab\ncd\nef", 3, ["ab", "c"], ["ab", "cd", "ef"]),
        ("abc\ncd\nef", 3, ["abc"], ["abc"]),
        ("ab cd ef", 4, ["ab", "c"], ["ab c"]),
        ("é a b", 2, [], ["é"]),
        ("aé b", 2, ["a"], ["a"]),
        ("\n\na b", 2, ["a"], ["a "]),
    ],
)
def test_the_byte_limit(text: str, limit: int, tokens: list[str], sentences: list[str]) -> None:
    assert make_tokenizer(byte_limit=limit)(text) == tokens
    assert make_splitter(byte_limit=limit)(text) == sentences


def test_a_byte_limit_counts_other_tokens_for_recall_than_it_clips_by() -> None:
    sample = check_samples(["a b\nc d\ne f"], ["a b\nc d\ne f"])
    tokenize = make_tokenizer(byte_limit=5)
    counts = count_rouge_of_bytes(sample, ["rougeW-2", "rouge1", "rougeLsum"], tokenize, 5)
    assert counts.of("rouge1").tolist() == [[3, 3, 3]]
    assert counts.of("rougeLsum").tolist() == [[3, 3, 6]]
    # Of the run "c d" the last token is clipped, so that nothing of it counts.
    assert counts.of("rougeW-2").tolist() == [[4, 3, 12]]


def test_stop_words_go_before_the_stemmer_and_short_words_are_left_alone() -> None:
    tokenize = make_tokenizer(
        use_stemmer=True,
        stop_words=resolve_stop_words({"the", "goes"}),
        stemmer_exceptions={"geese": "goose", "ran": "run"},
    )
    assert tokenize("The geese ran; it goes and went going") == [
        *("goose", "ran", "it", "and", "went", "go"),
    ]


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("possibly", "possibl"),
        ("psychology", "psycholog"),
        ("controlling", "control"),
        ("youth", "youth"),
        ("yyyy", "yyyi"),
        ("governmental", "govern"),
        ("traditionally", "tradit"),
        ("governmention", "government"),
    ],
)
def test_the_stems_of_the_program(word: str, stem: str) -> None:
    assert stem_perl_porter(word) == stem


def test_exceptions_are_read_from_files_and_folders_in_order(tmp_path: Path) -> None:
    (tmp_path / "adj.exc").write_text("best good well\n\n")
    (tmp_path / "noun.exc").write_text("geese goose\nbest best\n")
    (tmp_path / "note.txt").write_text("no\n")
    forms = {"best": "best", "geese": "goose"}
    assert read_exceptions(tmp_path) == read_exceptions([str(tmp_path)]) == forms
    files = [tmp_path / "noun.exc", str(tmp_path / "adj.exc")]
    assert read_exceptions(files) == {"best": "good", "geese": "goose"}


def test_errors_of_exceptions_name_the_place(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("geese goose\noxen\n")
    cases: list[tuple[Any, type[Exception], str]] = [
        (
            tmp_path / "x.txt",
            ValueError,
            f"{tmp_path / 'x.txt'}, line 2, has one column, 'oxen'; expected an inflected form and "
            "its base form, as in 'geese goose'.",
        ),
        (
            tmp_path,
            ValueError,
            f"stemmer_exceptions: the folder {tmp_path} has no file named *.exc; give the folder "
            "of WordNet's noun.exc, verb.exc, adj.exc and adv.exc.",
        ),
        (
            "no/such.exc",
            ValueError,
            "stemmer_exceptions: there is no file or folder no/such.exc.",
        ),
        (
            [3],
            TypeError,
            "stemmer_exceptions has 3 (int); expected the path of a file or of a folder.",
        ),
    ]
    for paths, kind, text in cases:
        with pytest.raises(kind) as error:
            read_exceptions(paths)
        assert str(error.value) == text


@pytest.mark.parametrize(
    ("choice", "kind", "text"),
    [
        (3, TypeError, "stop_words is of type int; expected a language or the words."),
        (["a", 3], TypeError, "stop_words[1] is 3 (int); expected a str."),
    ],
)
def test_errors_of_stop_words(choice: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as error:
        resolve_stop_words(choice)
    assert str(error.value) == text


def test_the_stop_words_of_nltk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import nltk.data
    from nltk.corpus import LazyCorpusLoader, WordListCorpusReader

    def use_folder(folder: Path) -> None:
        loader = LazyCorpusLoader("stopwords", WordListCorpusReader, r"(?!README|\.).*")
        monkeypatch.setattr("nltk.corpus.stopwords", loader)
        monkeypatch.setattr(nltk.data, "path", [str(folder)])

    use_folder(tmp_path)
    with pytest.raises(ValueError, match="not installed") as error:
        resolve_stop_words("english")
    assert str(error.value) == (
        "stop_words is 'english', but NLTK's lists of stop words are not installed. Run: python -m "
        "nltk.downloader stopwords. Or give the words themselves."
    )
    lists = tmp_path / "corpora" / "stopwords"
    lists.mkdir(parents=True)
    (lists / "english").write_text("the\nof\n")
    use_folder(tmp_path)
    assert resolve_stop_words("english") == {"the", "of"}
    with pytest.raises(ValueError, match="klingon") as error:
        resolve_stop_words("klingon")
    assert str(error.value) == (
        "stop_words is 'klingon'; expected the words themselves, or one of english."
    )


@pytest.mark.parametrize("make", [make_tokenizer, make_splitter])
@pytest.mark.parametrize(
    ("limits", "kind", "text"),
    [
        (
            {"word_limit": 2, "byte_limit": 3},
            ValueError,
            "word_limit is 2 and byte_limit is 3; expected at most one of them, as ROUGE-1.5.5 has "
            "it. Leave one out.",
        ),
        (
            {"word_limit": 0},
            ValueError,
            "word_limit is 0; expected an int of at least 1, or None.",
        ),
        (
            {"byte_limit": 2.5},
            TypeError,
            "byte_limit is 2.5; expected an int of at least 1, or None.",
        ),
    ],
)
def test_errors_of_limits(
    make: Any, limits: dict[str, Any], kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind) as error:
        make(**limits)
    assert str(error.value) == text
