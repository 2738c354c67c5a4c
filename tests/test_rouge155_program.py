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
from bleu_rouge_metric.rouge155 import make_splitter, make_tokenizer
from bleu_rouge_metric.rouge_formulas import make_rouge_rules
from bleu_rouge_metric.rouge_policies import score_samples
from bleu_rouge_metric.word_lists import read_exceptions

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
