"""ROUGE-1.5.5: our numbers equal the program's on generated texts."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_rouge_metric import rouge_scores
from bleu_rouge_metric.resampling.rouge155 import rouge155_intervals
from bleu_rouge_metric.text.stemmers import stem_perl_porter

from ..parity.parity import compare_generated
from ..support import perl_rouge
from ..support.strategies import examples


def _score(
    predictions: list[str], references: list[list[str]], options: str, names: list[str]
) -> dict[str, list[list[float]]]:
    """Return precision, recall and F of every sample, by the program's names, for its options."""
    words = options.split()
    given = {word: words[place + 1] for place, word in enumerate(words[:-1])}
    keywords: dict[str, Any] = {
        name: int(given[flag])
        for name, flag in (("word_limit", "-l"), ("byte_limit", "-b"))
        if flag in given
    }
    if "-m" in words:
        keywords |= {"use_stemmer": True, "stemmer_exceptions": perl_rouge.exception_files()}
    if "-s" in words:
        keywords["stop_words"] = perl_rouge.stop_words()
    if given.get("-f") == "B":
        keywords["multi_reference"] = "best_recall"
    types = [name.replace("ROUGE-", "rouge") for name in names]
    scores = rouge_scores(
        predictions,
        references,
        profile="rouge-1.5.5",
        rouge_types=types,
        beta=(1 / float(given.get("-p", "0.5")) - 1) ** 0.5,
        **keywords,
    )
    return {
        name: np.stack(scores[rouge_type], axis=1).tolist()
        for name, rouge_type in zip(names, types, strict=True)
    }


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
    # Most references begin with a token, else ROUGE-W would nearly always divide by zero.
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
@pytest.mark.filterwarnings("ignore:.*(leaves nothing|lose letters):UserWarning")
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
        "-n 1 -w 1 -b 9",
    ],
)
@given(generated=samples)
@settings(examples(1 / 3), suppress_health_check=list(HealthCheck))
def test_generated_texts_equal_the_program(
    program_folder: Path, options: str, generated: list[tuple[str, list[str]]]
) -> None:
    predictions = [prediction for prediction, _ in generated]
    references = [sample for _, sample in generated]
    options += " -r 50"
    printed = perl_rouge.run(program_folder, predictions, references, options)
    if printed is None:
        # If no token of a reference remains, ROUGE-W divides by zero, and other scores are 0.
        options = re.sub(r"-w \S+", "", options)
        printed = perl_rouge.run(program_folder, predictions, references, options)
    assert printed is not None
    scores = _score(predictions, references, options, list(printed.samples))
    what = "the program itself on generated texts: each item, averages and intervals"
    compare_generated("rouge-1.5.5", what, scores, printed.samples)
    for name, rows in scores.items():
        found = rouge155_intervals(np.array(rows).T, n_resamples=50)
        compare_generated("rouge-1.5.5", what, found.T.tolist(), printed.intervals[name])


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
    found = rouge155_intervals(rows, n_resamples, confidence / 100)
    assert found.T.tolist() == printed.intervals["ROUGE-1"]


STEM_PARTS = [
    *("govern", "tradi", "cap", "rel", "y", "e", "abl", "tt", "o", "x1", "ss", "iz", "eed", "s"),
    *("ational", "tional", "enci", "izer", "bli", "alli", "logi", "ative", "alize", "ical", "ness"),
    *("al", "ence", "er", "ible", "ant", "ement", "ment", "ent", "tion", "sion", "ism", "ate"),
    *("iti", "ous", "ive", "ing", "ed", "ly", "ies", "ll"),
]


@perl_rouge.needs_perl
@given(st.lists(st.lists(st.sampled_from(STEM_PARTS), min_size=1, max_size=4), min_size=40))
@settings(examples(1 / 3), suppress_health_check=list(HealthCheck))
def test_words_that_stem_alike_are_those_of_the_program(
    program_folder: Path, words: list[list[str]]
) -> None:
    """Compare each word with itself without its last part, and with its stem here."""
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
