"""The option ``language``: what it chooses is what a caller would write out."""

import re
import sys
from pathlib import Path
from subprocess import run
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bleu_rouge_metric import Options, compare_profiles, compute_metrics, load
from bleu_rouge_metric.options.language import CHOSEN, apply_language
from bleu_rouge_metric.options.profiles import BOTH, PROFILES, find_profile
from bleu_rouge_metric.text.languages import LANGUAGES, SOURCES, find_language, use_published
from bleu_rouge_metric.text.tokenizer import TOKENIZERS
from bleu_rouge_metric.text.xlsum import xlsum_stems

from ..conftest import ROOT, require, unfit_texts


def choose(language: str, profile: str = "hf", **options: Any) -> dict[str, Any]:
    """Return what a language chooses, without the profile and what was given."""
    families = find_profile(profile).families
    chosen = apply_language({"language": language, "profile": profile, **options}, families)
    return {name: chosen[name] for name in CHOSEN if name in chosen and name not in options}


CHOICES = [
    line.split(maxsplit=2)
    for line in Path(__file__).with_name("languages.txt").read_text("utf-8").splitlines()
    if line[0] != "#"
]


@pytest.mark.parametrize(("profile", "language", "names"), CHOICES)
def test_what_a_language_chooses(profile: str, language: str, names: str) -> None:
    chosen = choose(language, profile)
    assert " ".join(chosen.get(name, "-") for name in CHOSEN) == names


def test_english_is_the_default_of_every_profile() -> None:
    for profile in set(PROFILES) - {"xlsum"}:
        options: dict[str, Any] = {"profile": profile}
        assert Options(language="en", **options) == Options(**options), profile


def test_the_tokenizers_of_sacrebleu_are_those_of_its_target_languages() -> None:
    bleu = require("sacrebleu.metrics.bleu").BLEU
    for code, tokenizer in bleu._TOKENIZER_MAP.items():
        assert find_language("language", code).bleu == tokenizer
    # sacrebleu has no other row for languages that are written without spaces.
    others = [row for row in LANGUAGES if not bleu._TOKENIZER_MAP.keys() & {*row.codes}]
    assert {row.bleu for row in others if not row.published.bleu} == {bleu.TOKENIZER_DEFAULT}
    assert {row.bleu for row in others if row.published.bleu} == {"char", "zh"}


@pytest.mark.parametrize("language", ["en", "de", "hi", "hin_Deva", "my-MM"])
def test_options_and_signature_are_those_of_the_options_that_it_stands_for(language: str) -> None:
    ours = Options.from_keywords({"language": language})
    theirs = Options.from_keywords(apply_language({"language": language}, BOTH))
    line = ours.write_signature()
    assert line == theirs.write_signature()
    assert "language" not in line
    assert Options.from_signature(line) == theirs == ours


HINDI = {"bleu_tokenizer": "13a", "rouge_tokenizer": "xlsum", "use_stemmer": "hindi"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"rouge_tokenizer": "char"}, {"bleu_tokenizer": "13a", "rouge_tokenizer": "char"}),
        ({"tokenizer": "char"}, {"tokenizer": "char"}),
        ({"use_stemmer": False}, {**HINDI, "use_stemmer": False}),
        ({"bleu_tokenizer": "intl"}, {**HINDI, "bleu_tokenizer": "intl"}),
        # The stemmer belongs to the tokenizer, whoever names it.
        ({"tokenizer": "xlsum"}, {"tokenizer": "xlsum", "use_stemmer": "hindi"}),
        ({"bleu_tokenizer": None}, HINDI),
    ],
)
def test_an_option_that_is_given_wins(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert apply_language({"language": "hi", **given}, BOTH) == expected


@pytest.mark.parametrize("profile", sorted(PROFILES.keys() - {"xlsum"}))
def test_nothing_that_a_language_chooses_is_downloaded(
    profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("nltk.data.find")
    downloads = {"spm", "flores101", "flores200", "xlsum-japanese"}
    for language in LANGUAGES:
        chosen = choose(language.codes[0], profile)
        assert not downloads & {*chosen.values()}
        stemmer = chosen.get("use_stemmer")
        if stemmer == "turkish":
            require("TurkishStemmer")
        if stemmer is not None:
            xlsum_stems.cache_clear()
            assert xlsum_stems(stemmer)["abcdefg"]


@unfit_texts[0]
@pytest.mark.parametrize("code", ["fr", "es", "ru", "pt", "ar"])
def test_the_stemmer_that_needs_a_download_can_be_added(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nltk.stem.snowball.stopwords", SimpleNamespace(words=lambda _: []))
    stemmer = find_language("language", code).published.stemmer
    xlsum_stems.cache_clear()
    assert Options(language=code).use_stemmer is False
    added = Options(language=code, use_stemmer=stemmer)
    published = Options(profile="xlsum", language=code)
    xlsum_stems.cache_clear()
    for options in (added, published):
        assert (options.rouge_tokenizer, options.use_stemmer) == ("xlsum", stemmer)


def test_every_language_has_scores_without_the_network() -> None:
    for name in ("fugashi", "jieba", "mecab_ko", "pythainlp", "TurkishStemmer", "unidic_lite"):
        require(name)
    script = ROOT / "scripts" / "score_languages.py"
    done = run([sys.executable, script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == len(LANGUAGES)


WORDS = ["लड़के गए", "लड़का गया"]


def test_a_language_replaces_what_options_and_signatures_have() -> None:
    expected = Options(rouge_tokenizer="xlsum", use_stemmer="hindi")
    assert Options(rouge_tokenizer="char").replace(language="hi") == expected
    line = Options(tokenizer="char", use_stemmer="german").write_signature()
    assert Options.from_signature(line, language="hi") == expected
    assert Options(bleu_tokenizer="char").replace(tokenizer="intl") == Options(tokenizer="intl")


def test_the_hook_of_decoded_texts_has_a_language() -> None:
    hook = compute_metrics(lambda rows: [WORDS[ids[0]] for ids in rows], language="hi")
    found = hook((np.array([[0]]), np.array([[1]])))
    expected = load().compute(predictions=WORDS[:1], references=WORDS[1:], language="hi")
    assert found["rouge1"] == expected["rouge1"] == 0.5


def test_only_what_is_scored_is_needed() -> None:
    # The tokenizer of BLEU is of another package.
    options = Options.from_keywords({"language": "ko"}, ["rouge"])
    assert (options.rouge_tokenizer, options.bleu_tokenizer) == ("xlsum", "13a")


def test_a_comparison_of_profiles_explains_the_stemmer_of_one() -> None:
    texts = ["लड़के स्कूल गए"], ["लड़का स्कूल गया"]
    comparison = compare_profiles(*texts, profiles=["hf", "coco"], language="hi")
    steps = [(step.option, step.new) for step in comparison.differences if step.score == "rougeL"]
    assert steps == [("use_stemmer", False)]


def test_every_code_and_every_name_is_of_one_language() -> None:
    for index in (0, 1):
        names = [name for language in LANGUAGES for name in language[index]]
        assert len(names) == len(set(names))
    for language in LANGUAGES:
        for name in (*language.codes, *language.names):
            for form in (name, name.upper(), name.lower().replace(" ", "_")):
                assert find_language("language", form) is language


@pytest.mark.parametrize(
    ("value", "name"),
    [
        *((code, "Chinese") for code in ("zh-Hans", "zh_CN", "zho_Hant", "cmn-Hans-CN")),
        *((f"Chinese{rest}", "Chinese") for rest in (" (Simplified)", "_traditional")),
        *((code, "German") for code in ("deu_Latn", "de-CH-1996")),
        ("es-419", "Spanish"),
        *((code, "Serbian") for code in ("sr-Latn-RS", "serbian_cyrillic")),
        ("latin", "Latin"),
        ("Norwegian bokmål", "Norwegian Bokmål"),
    ],
)
def test_codes_with_scripts_and_regions(value: str, name: str) -> None:
    assert find_language("language", value).names[0] == name


def test_every_tokenizer_of_the_table_exists_and_has_a_source() -> None:
    used = {name for row in LANGUAGES for name in (row.bleu, row.rouge, *row.published[:2]) if name}
    assert used == SOURCES.keys()
    assert used <= TOKENIZERS.keys()


def test_codes_and_names_are_those_of_standards() -> None:
    assert all(re.fullmatch("[a-z]{2,3}", code) for row in LANGUAGES for code in row.codes)
    assert all(name[0].isupper() for language in LANGUAGES for name in language.names)
    # Of XL-Sum: 45 with two scripts of Chinese and of Serbian.
    xlsum = [row for row in LANGUAGES if use_published(row).rouge.startswith("xlsum")]
    assert len(xlsum) == 45 - 2 - 1, "all but English"
