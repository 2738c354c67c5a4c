"""The signature of a comparison of systems says how it was made, and can be parsed."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from bleu_rouge_metric import Options
from bleu_rouge_metric.analysis.compare import compare_systems
from bleu_rouge_metric.analysis.results import SystemComparison
from bleu_rouge_metric.options.profiles import Family

from ..support.system_files import REFERENCES, SYSTEMS, TOPICS
from ..support.system_rows import HOSTILE, OPTIONS, compare


def test_the_signature_says_how_the_test_was_made() -> None:
    line = compare(correction="holm", n_tests=3, n_clusters=40).signature()
    assert line == (
        f"{OPTIONS}|test:approximate_randomization|n_resamples:10000|interval_resamples:1000|"
        "seed:12345|confidence:0.95|alternative:two-sided|correction:holm|tests:3|"
        "baseline:A|clusters:40"
    )
    assert compare(convention="sacrebleu").signature().endswith("|convention:sacrebleu|baseline:A")


@pytest.mark.parametrize("name", ["A", HOSTILE, "a|b:c", "", "ü,;\n", "\ud800"])
def test_the_signature_can_be_parsed(name: str) -> None:
    given: dict[str, Any] = {
        "test": "bootstrap",
        "n_resamples": 300,
        "seed": 0,
        "confidence": 0.9,
        "alternative": "greater",
        "correction": "fdr_bh",
        "convention": "sacrebleu",
        "baseline": name,
    }
    options = Options(profile="sacrebleu", lowercase=True, smooth="floor")
    signature = options.write_signature(seed=7)
    line = compare(options=signature, n_clusters=3, interval_resamples=300, **given).signature()
    keywords = SystemComparison.read_signature(line)
    assert {key: keywords.pop(key) for key in given} == given
    assert Options(**keywords) == options


@pytest.mark.parametrize(
    "keywords",
    [
        # Through all 256 ways to swap, with 1,000, 300 and 400 resamples for the intervals.
        {},
        {"n_resamples": 300, "seed": 0, "family": "rouge", "rouge_types": ["rougeSU4"]},
        {"n_resamples": 400, "correction": "holm", "groups": TOPICS},
        {"n_resamples": 400, "pairs": "all", "family": "rouge"},
        {"test": "bootstrap_t", "n_resamples": 20, "correction": "holm"},
        {"n_resamples": 255, "baseline": "new", "alternative": "greater", "profile": "nltk"},
        {"test": "bootstrap", "n_resamples": 30, "confidence": 0.9, "clusters": TOPICS},
        {"convention": "sacrebleu", "n_resamples": 40},
        {"convention": "sacrebleu", "n_resamples": 40, "test": "bootstrap", "seed": 0},
        {"seed": None, "aggregator": "bootstrap", "n_resamples": 50},
    ],
    ids=str,
)
def test_the_signature_repeats_every_number(keywords: dict[str, Any]) -> None:
    first = compare_systems(SYSTEMS, REFERENCES, **keywords)
    labels = {name: keywords[name] for name in ("clusters", "groups") if name in keywords}
    read = SystemComparison.read_signature(first.signature())
    assert compare_systems(SYSTEMS, REFERENCES, **read, **labels) == first


@pytest.mark.parametrize(
    ("profile", "families", "family"),
    [
        ("hf", ["bleu"], "bleu"),
        ("hf", ["rouge"], "rouge"),
        ("hf", ["bleu", "rouge"], None),
        ("google_bleu", ["bleu"], None),
        ("rouge-1.5.5", ["rouge"], None),
    ],
)
def test_the_signature_names_a_family_that_was_chosen(
    profile: Any, families: Sequence[Family], family: str | None
) -> None:
    # Resampling of the scores themselves is no part of the test.
    options = Options(profile=profile, n_resamples=7, confidence=0.5)
    line = compare(options=options.write_signature(families, seed=3)).signature()
    keywords = SystemComparison.read_signature(line)
    assert keywords.get("family") == family
    assert [keywords[key] for key in ("n_resamples", "confidence", "seed")] == [10000, 0.95, 12345]


# fmt: off
ERRORS: list[tuple[Any, str]] = [
    (1, "signature is of type int; expected a str."),
    (OPTIONS, "signature has no key 'test'; expected a line of SystemComparison.signature()."),
    ("profile:hf|test:bootstrap|seed:1|seed:2",
     "signature has the key 'seed' twice; expected it once."),
    ("profile:hf|test:bootstrap|seed:one",
     "signature has a value that cannot be read: 'seed:one'."),
    ("profile:hf|test:bootstrap|trials:1",
     "signature has the item 'trials:1'; expected key:value with the name of an option."),
    ("profile:hf|test:bootstrap|bleu_tokenizer:callable builtins.str",
     "signature names a function for bleu_tokenizer, 'builtins.str', which cannot be read back; "
     "give it again: SystemComparison.read_signature(text, bleu_tokenizer=...)."),
]
# fmt: on


@pytest.mark.parametrize(("text", "message"), ERRORS)
def test_a_line_that_cannot_be_read_is_an_error(text: Any, message: str) -> None:
    error = ValueError if isinstance(text, str) else TypeError
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        SystemComparison.read_signature(text)


def test_what_is_given_overrides_the_line() -> None:
    line = "profile:hf|test:bootstrap|bleu_tokenizer:callable builtins.str"
    keywords = SystemComparison.read_signature(line, bleu_tokenizer=str.split)
    assert keywords == {"profile": "hf", "test": "bootstrap", "bleu_tokenizer": str.split}
