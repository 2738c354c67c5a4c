"""mypy --strict and pyright accept right calls and refuse wrong ones in snippets."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import require

# A call, and a part of what is wrong with it; nothing if it is right.
CALLS = {
    'rouge_scores(["a"], ["a"], use_stemmer=True)': "",
    'rouge_scores(["a"], ["a"], use_stemer=True)': "use_stemer",
    'rouge_scores(["a"], ["a"], max_order=2)': "max_order",
    'rouge_scores(["a"], ["a"], multi_reference="worst")': "multi_reference",
    'Scorer(rouge_types=["rouge1"], smooth="exp")': "",
    'Scorer("rouge").result(confidence="0.95")': "confidence",
    'bleu_score(["a"], ["a"], max_order=2, weights=[0.5, 0.5])': "",
    'bleu_score(["a"], ["a"], max_order="4")': "max_order",
    'bleu_score(["a"], ["a"], profile="rouge_score")': "profile",
    'bleu_score(["a"], ["a"], profile="sacrebleu").score': "",
    'assert_type(bleu_score(["a"], ["a"], profile="coco"), dict[str, Any])': "",
    'round(Scorer("rouge").result()["rouge1"], 4)': "",
    'Options(profile="huggingface")': "profile",
    'compute_metrics(None, pad=0, family="rouge")': "",
    "compute_metrics(None, pads=0)": "pads",
    'compare_profiles(["a"], ["a"], rouge_type=["rouge1"])': "rouge_type",
    'load("bleu", seed=3)': "",
    'load("bleu", sed=3)': "sed",
    "assert_type(Options(max_order=2).max_order, int)": "",
    "Options(max_order=2).max_ordr": "max_ordr",
    "Options().max_order = 2": "max_order",
    "Options().max_ordr = 2": "max_ordr",
    'assert_type(Options().further["own"], Any)': "",
    'assert_type(PairScorer()("a", "a"), float)': "",
    'PairScorer("rougeL")("a", "a")[0]': "float",
    'first, second = PairScorer(("rougeL", "bleu"))("a", "a")': "",
    "assert_type(first, float)": "",
    'assert_type(PairScorer(["rougeL"])("a", "a").rougeL, float)': "",
    'PairScorer(("rougeL", "bleu"))("a", "a") / 2': "/",
    'PairScorer(("rougeL", "bleu")).batch(["a"], ["a"])[0].shape': "",
    'PairScorer("rougeL", use_stemer=True)': "use_stemer",
    "scorer: PairScorer = PairScorer()": "",
    'assert_type(bleu_score(["a"], ["a"], profile="nltk"), BleuScore)': "",
    'assert_type(rouge_scores(["a"], ["a"])["rouge1"], RougeScores)': "",
    'assert_type(compare_systems({"a": ["a"], "b": ["b"]}, ["a"]), SystemComparison)': "",
    'assert_type(explain("a", "a"), Explanation)': "",
    'assert_type(score_table({"prediction": ["a"]}, "rougeL"), dict[str, Any])': "",
    "assert_type(score_table(ModuleType('a')), ModuleType)": "",
    "score_table({}, use_stemer=True)": "use_stemer",
    'make_reward("rougeL", tokens="ids", tokenizer=object(), eos=1)': "",
    'make_reward("rougeL", tokens="id")': "tokens",
    'make_verl_score("rougeL", tokenizer=str.split)': "",
    "assert_type(len(Scorer()), int)": "",
}
HEAD = (
    "from types import ModuleType; from typing import Any; "
    "from typing_extensions import assert_type; "
    "from bleu_rouge_metric import BleuScore, Explanation, Options, PairScorer, RougeScores, "
    "Scorer, SystemComparison, bleu_score, compare_profiles, compare_systems, compute_metrics, "
    "explain, load, rouge_scores, score_table; "
    "from bleu_rouge_metric.integrations.rewards import make_reward, make_verl_score\n"
)


@pytest.fixture(scope="module")
def snippet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("types") / "snippet.py"
    path.write_text(HEAD + "".join(f"{call}\n" for call in CALLS))
    return path


def compare(errors: dict[int, list[str]]) -> None:
    """Check that only the lines of wrong calls have errors, which name the fault."""
    for line, (call, fault) in enumerate(CALLS.items(), 2):
        messages = errors.pop(line, [])
        assert bool(messages) == bool(fault), (call, messages)
        # mypy names the types of all arguments if a function has overloads.
        named = any(fault in message or "overload" in message for message in messages)
        assert named or not fault, (call, messages)
    assert errors == {}


def test_mypy_finds_wrong_options(snippet: Path) -> None:
    require("mypy")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--hide-error-context",
         "--cache-dir", str(snippet.parent / "cache"), str(snippet)],
        capture_output=True, text=True, check=False, cwd=snippet.parent,
    )  # fmt: skip
    errors: dict[int, list[str]] = {}
    for text in result.stdout.splitlines():
        place, _, message = text.partition(": error: ")
        if message:
            errors.setdefault(int(place.rpartition(":")[2]), []).append(message)
        else:
            assert ": note: " in text, text
    compare(errors)


def test_pyright_finds_wrong_options(snippet: Path) -> None:
    require("pyright")
    result = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson",
         "--pythonpath", sys.executable, str(snippet)],
        capture_output=True, text=True, check=False, cwd=snippet.parent,
    )  # fmt: skip
    errors: dict[int, list[str]] = {}
    for found in json.loads(result.stdout)["generalDiagnostics"]:
        if found["severity"] == "error":
            line = found["range"]["start"]["line"]
            errors.setdefault(line + 1, []).append(found["message"])
    compare(errors)
