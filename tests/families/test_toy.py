"""Everything that scores knows a family as soon as it is added."""

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import (
    Options,
    PairScorer,
    Scorer,
    compare_profiles,
    compare_systems,
    explain,
    influence,
    load,
)
from bleu_rouge_metric.engines import count_batch, reduce_counts
from bleu_rouge_metric.families import registry
from bleu_rouge_metric.options import profiles, table
from bleu_rouge_metric.options.options import add_family
from bleu_rouge_metric.options.profiles import Profile

from ..conftest import ROOT, require
from .toy import Toy

# The types of options name the profiles that there are.
TOY: Any = "toy"
BOTH: Any = "both"

PREDICTIONS = ["a b c d", "x y z", "the cat sat"]
REFERENCES = [["a b d d", "a"], ["x y z"], ["cat"]]
TEXTS: Any = {"predictions": PREDICTIONS, "references": REFERENCES}


def add() -> None:
    both = Profile(reference="a toy with BLEU", calculates={"bleu": "hf", "toy": ""})
    add_family(Toy, "", {TOY: Profile(reference="a toy", calculates={"toy": ""}), BOTH: both})


def remove() -> None:
    del registry.FAMILIES["toy"], profiles.DEFAULTS["toy"], table.OPTIONS["toy_words"]
    del profiles.PROFILES[TOY], profiles.PROFILES[BOTH]


@pytest.fixture(scope="module", autouse=True)
def _added() -> Iterator[None]:
    add()
    yield
    remove()


def test_options_of_before_are_those_of_after() -> None:
    keywords: Any = {"profile": "hf"}
    after, line = Options.from_keywords(keywords), Options(max_order=2).write_signature()
    remove()
    before, pickled = Options.from_keywords(keywords), pickle.dumps(Options(**keywords))
    add()
    assert before == after == pickle.loads(pickled) == Options.from_keywords(keywords)
    assert before.values() == after.values()
    assert Options.from_signature(line) == before.replace(max_order=2)
    own: Any = Options(profile=TOY, toy_words="char")  # type: ignore[call-arg]
    assert own != Options(profile=TOY)
    assert own == pickle.loads(pickle.dumps(own)) == Options.from_signature(own.write_signature())


def test_a_metric_computes_it() -> None:
    metric: Any = load()
    assert metric.compute(**TEXTS, profile=TOY) == {"toy": 0.6}
    texts = {name: values[:1] for name, values in TEXTS.items()}
    scores = metric.compute(**texts, profile=BOTH)
    assert (scores["toy"], "bleu" in scores) == (0.75, True)
    signed = metric.compute(**TEXTS, profile=TOY, confidence=0.9, signature=True, tokenizer="char")
    assert "toy_words:char" in signed["signature"]
    assert signed["toy_low"] < signed["toy"] < signed["toy_high"]


def test_a_scorer_merges_saves_and_groups_it() -> None:
    one, two = Scorer(profile=BOTH), Scorer(profile=BOTH)
    one.update(PREDICTIONS[:1], REFERENCES[:1])
    two.update(PREDICTIONS[1:], REFERENCES[1:])
    one.merge(two)
    other = Scorer(profile=BOTH)
    other.load_state_dict(pickle.loads(pickle.dumps(one.state_dict())))
    again = pickle.loads(pickle.dumps(one))
    assert other.result() == one.result() == again.result()
    groups: Any = one.result(groups=["a", "b", "a"])["groups"]
    assert groups["b"]["toy"] == 1.0


def test_pairs_are_scored() -> None:
    assert PairScorer("toy", profile=TOY)("a b c d", ["a b d d", "a"]) == 0.75
    both = PairScorer(("toy", "bleu"), profile=BOTH)
    assert both("a b c d", ["a b d d", "a"])[0] == 0.75


def test_a_pair_is_explained() -> None:
    explanation = explain("a b c d", ["a b d d", "a"], profile=TOY)
    assert [[span.label for span in explanation.spans(index)] for index in (0, 1)] == [
        ["1-gram", "1-gram", "1-gram", "clipped"],
        ["1-gram"],
    ]
    assert "prediction: [a]1 [b]1 c [d]1" in str(explanation)
    both = explain("a b c d", "a b d d", profile=BOTH)
    assert [*both.matches] == ["bleu", "toy"]
    assert both.to_html()


def test_tables_have_its_counts() -> None:
    require("pyarrow")
    table = count_batch({"prediction": PREDICTIONS, "reference": REFERENCES}, profile=BOTH)
    assert reduce_counts(table, profile=BOTH).result()["toy"] == 0.6


@pytest.mark.extra
def test_a_torchmetrics_metric_keeps_its_counts() -> None:
    require("torchmetrics")
    from bleu_rouge_metric.integrations.torchmetrics import BleuRouge

    metric = BleuRouge(profile=BOTH)
    metric.update(PREDICTIONS, REFERENCES)
    assert float(metric.compute()["toy"]) == 0.6


def test_systems_are_compared_by_it() -> None:
    systems = {"A": PREDICTIONS * 5, "B": ["a b", "x y", "cat"] * 5}
    comparison = compare_systems(systems, REFERENCES * 5, profile=TOY)
    assert {row.score for row in comparison.rows} == {"toy"}
    scorer = Scorer(profile=TOY)
    scorer.update(PREDICTIONS, REFERENCES)
    assert influence(scorer).without["toy"].tolist() == [3 / 6, 3 / 7, 6 / 7]


# Its flags are made when the command is imported, so that the family is added before.
COMMAND = """
from tests.families.test_toy import add
add()
from bleu_rouge_metric.cli import main
main()
"""


def run_command(*arguments: str) -> str:
    require("click")
    result = subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return result.stdout


def test_profiles_with_it_are_compared() -> None:
    comparison = compare_profiles(PREDICTIONS[:1], REFERENCES[:1], profiles=["hf", BOTH, TOY])
    assert comparison.scores[TOY] == {"toy": 0.75}
    assert comparison.scores[BOTH] == {"bleu": comparison.scores["hf"]["bleu"], "toy": 0.75}
    assert comparison.differences == []


def test_the_page_shows_it_beside_other_profiles() -> None:
    require("gradio")
    from space.explain import show_profiles

    (table,) = show_profiles({"prediction": "a b c d", "references": ["a b d d"]}).values()
    assert '<th scope="col">Toy</th>' in table
    assert '<th scope="row">toy</th>' in table


def test_a_configuration_of_the_metric_has_it_alone() -> None:
    metric: Any = load(TOY)
    assert metric.compute(**TEXTS, profile=BOTH) == {"toy": 0.6}
    message = (
        "Unknown configuration 'toys'; expected 'bleu' or 'rouge' or 'toy' for the scores of one "
        "family, a profile such as 'sacrebleu', or no configuration for both. Did you mean 'toy'?"
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        load("toys")


def test_a_profile_without_it_is_an_error() -> None:
    message = "profile 'hf' has no TOY; leave it out of score, or choose another profile."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        PairScorer("toy", profile="hf")
    assert PairScorer("toy").options.profile == TOY
    options: dict[str, Any] = {"toy_words": "char"}
    message = "toy_words applies to TOY only, but the profile 'hf' has only BLEU and ROUGE."
    with pytest.raises(TypeError, match=f"^{re.escape(message)} Remove it.$"):
        Scorer(**options)


def test_the_command_has_its_flags_and_scores(tmp_path: Path) -> None:
    predictions, references = tmp_path / "predictions.txt", tmp_path / "references.txt"
    predictions.write_text("ab c d\nx y z\n")
    references.write_text("ab d d\nx y z\n")
    files = str(predictions), str(references)
    flags = "--toy-words", "char", "--signature", "--format", "markdown"
    shown = run_command("score", *files, "--profile", TOY, *flags)
    options: dict[str, Any] = {"toy_words": "char"}
    scorer = Scorer(profile=TOY, **options)
    scorer.update(["a"], ["a"])
    signature = scorer.signature()
    assert "toy_words:char" in signature
    assert shown == f"| TOY | Value |\n| :-- | --: |\n| toy | 0.8571 |\n\n`{signature}`\n"
    each = tmp_path / "each.csv"
    output = "--format", "json", "--per-sample", str(each)
    scores = json.loads(run_command("score", *files, "--profile", BOTH, *output))
    assert (scores["toy"], "bleu" in scores) == (5 / 6, True)
    rows = [row.split(",") for row in each.read_text().splitlines()]
    assert rows[0] == ["index", "sentence_bleu", "toy"]
    assert [row[2] for row in rows[1:]] == [repr(2 / 3), "1.0"]
