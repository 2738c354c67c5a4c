"""Languages whose stemmer needs what the server has not, and what links to Explain set."""

import html
import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from bleu_rouge_metric import compare_profiles
from bleu_rouge_metric.text.xlsum import xlsum_stems

from ..conftest import require
from ..support.system_files import write_table

TEXTS = ("Le bateau part à midi.", "Le bateau quitte le port à midi.")


@pytest.fixture
def without_stop_words(monkeypatch: pytest.MonkeyPatch) -> Any:
    require("nltk")

    class Words:
        def words(self, _: str) -> list[str]:
            raise LookupError("stopwords")

    monkeypatch.setattr("nltk.stem.snowball.stopwords", Words())
    xlsum_stems.cache_clear()
    yield
    xlsum_stems.cache_clear()


@pytest.mark.usefixtures("without_stop_words")
def test_lessons_are_shown_without_the_stemmer_and_profiles_without_its_profile() -> None:
    require("gradio")
    from space import learn_tab, profiles_tab

    note = (
        "Stemmer of ROUGE is 'french', and XL-Sum's stemmer for it needs NLTK's lists of stop "
        "words, which are not installed. Run: python -m nltk.downloader stopwords. The numbers "
        "here are without the stemmer."
    )
    (shown,) = profiles_tab.show_profiles("fr", *TEXTS)
    types = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    found = compare_profiles([TEXTS[0]], [[TEXTS[1]]], language="fr", rouge_types=types)
    assert {"hf", "rouge_score"} <= found.scores.keys()
    assert "xlsum" not in found.scores
    numbers = re.findall(r"(?:<td>|steps-\d+-\d+\">)(\d\.\d{4}|\d\d\.\d{4})<", shown)
    expected = [f"{value:.4f}" for row in found.scores.values() for value in row.values()]
    assert sorted(numbers) == sorted(expected)
    texts = [text for step in learn_tab.STEPS for text in (step.prediction, step.reference)]
    lessons = learn_tab.show_steps("xlsum", "fr", *filter(None, texts))
    for lesson in lessons:
        assert note in html.unescape(lesson)
    assert any("Try it in Explain" in lesson for lesson in lessons)


@pytest.mark.usefixtures("without_stop_words")
def test_the_remedy_leaves_the_stemmer_out_in_every_tab(tmp_path: Path) -> None:
    require("gradio")
    from space import compare_tab
    from space.explain_inputs import REFERENCE_BOXES
    from space.explain_tab import show_pair
    from space.limits import InputError
    from space.scores import Choices
    from space.systems import Design

    references = [TEXTS[1], *[""] * (REFERENCE_BOXES - 1)]
    with pytest.raises(InputError, match="not installed") as caught:
        show_pair(TEXTS[0], "", "", *references, *Choices(language="fr", profile="xlsum"))
    assert str(caught.value).endswith("nltk.downloader stopwords. Without it: use_stemmer='no'.")
    choices = Choices(language="fr", use_stemmer="no", profile="xlsum")
    *_, shown = show_pair(TEXTS[0], "", "", *references, *choices)
    assert "    language='fr',\n" in html.unescape(shown)
    assert "    use_stemmer=False,\n" in shown
    files = [str(write_table(tmp_path))], None, ["old", "new"], "reference", None, None
    commands = compare_tab.show_systems(*files, *Design(n_resamples=500), *choices)[7]
    assert {"--language fr", "--stemmer none"} <= {
        *re.findall(r"--(?:language|stemmer) \w+", commands)
    }


def test_profiles_have_their_numbers_in_hindi() -> None:
    require("gradio")
    from space import profiles_tab

    (shown,) = profiles_tab.show_profiles("hi", "दो किताबें", "तीन किताब")
    assert "use_stemmer: hindi → False: 0.5000 → 0.0000" in html.unescape(shown)


def test_a_link_to_explain_sets_every_input_and_up_to_20_references(address: str) -> None:
    from space.explain_inputs import fill
    from space.limits import MAX_REFERENCES
    from space.scores import Choices

    texts = [f"reference {number}" for number in range(MAX_REFERENCES)]
    choices = Choices(smooth="exp", language="de", rouge_types=["rougeL"])
    inputs = fill("a", texts, choices, "rougeL")
    assert [inputs[f"reference-{place}"] for place in range(1, MAX_REFERENCES + 1)] == texts
    assert inputs["view"] == "Longest subsequence"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"{address}config") as response:
        components = json.load(response)["components"]
    ids = {component["props"].get("elem_id") for component in components}
    assert {f"explain-{name}" for name in inputs} <= ids
    for name, value in choices._asdict().items():
        assert inputs[name.replace("_", "-")] == value
