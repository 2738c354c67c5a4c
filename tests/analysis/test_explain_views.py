"""How explanations show themselves: marks, plain text, HTML, Gradio and displaCy."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import explain
from bleu_rouge_metric.analysis.highlights import Span, list_spans, split_text
from bleu_rouge_metric.families.pltrdy.types import NAMES
from bleu_rouge_metric.options.profiles import PROFILES
from bleu_rouge_metric.options.table import is_relevant

from ..conftest import unfit_texts
from ..support.commands import ONE_REFERENCE
from ..support.strategies import any_texts

pytestmark = list(unfit_texts)

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS2", "rougeSU2"]


def label(text: str, spans: list[Span]) -> list[str]:
    """Write each marked piece with its label."""
    return [f"{piece}:{mark}" for piece, mark in split_text(text, spans) if mark]


def test_marks_say_the_longest_ngram_that_counts() -> None:
    found = explain("the the cat sat", ["the cat sat", "a dog"], tokenizer="whitespace")
    text = found.prediction.text
    assert label(text, list_spans(found)) == [
        "the:1-gram",
        "the:3-gram",
        "cat:3-gram",
        "sat:3-gram",
    ]
    assert label(text, list_spans(found, view="rouge1")) == [
        *("the:1-gram", "the:clipped", "cat:1-gram", "sat:1-gram"),
    ]
    assert label("the cat sat", list_spans(found, 0, "rouge2")) == [
        *("the:2-gram", "cat:2-gram", "sat:2-gram"),
    ]
    assert list_spans(found, 1) == []
    assert list_spans(found, view="rouge1", reference=1) == []


def test_marks_of_the_lcs() -> None:
    found = explain("a b", "a\na b", tokenizer="whitespace", rouge_types=["rougeL", "rougeLsum"])
    assert label("a b", list_spans(found, view="rougeL")) == ["a:LCS", "b:LCS"]
    assert label("a b", list_spans(found, view="rougeLsum")) == ["a:LCS", "b:LCS"]
    assert label("a\na b", list_spans(found, 0, "rougeLsum")) == ["a:LCS", "a:clipped", "b:LCS"]


def test_marks_of_skip_bigrams() -> None:
    found = explain("a b c", "a x c", rouge_types=["rougeS", "rougeSU"], family="rouge")
    assert label("a b c", list_spans(found)) == ["a:skip-bigram", "c:skip-bigram"]
    assert label("a b c", list_spans(found, view="rougeSU")) == ["a:skip-bigram", "c:skip-bigram"]


def test_tokens_that_share_a_character_have_one_mark() -> None:
    # After NFKC "xa/cy", so that both words have a part of the middle character.
    found = explain("x\u2100y", "xa cy", tokenizer="unicode", family="rouge")
    assert list_spans(found, view="rouge1") == [Span(0, 3, "1-gram")]


def test_a_token_without_a_place_has_no_mark() -> None:
    found = explain("a b", "a", family="rouge", tokenizer=lambda text: ["<s>", *text.split()])
    assert found.rouge["rouge1"].references[0].hits == 2
    assert list_spans(found) == [Span(0, 1, "1-gram")]


def test_forms_of_gradio_and_displacy() -> None:
    found = explain("A cat.", "the cat", family="rouge", rouge_types=["rougeL"])
    assert found.entities() == {
        "text": "A cat.",
        "entities": [{"entity": "LCS", "start": 2, "end": 5}],
    }
    assert found.ents(0, "rougeL") == {
        "text": "the cat",
        "ents": [{"start": 4, "end": 7, "label": "LCS"}],
        "title": None,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("references",),
            "text is 'references'; expected 'prediction' or the index of a reference, from 0 to 0.",
        ),
        ((1,), "text is 1; expected 'prediction' or the index of a reference, from 0 to 0."),
        (
            (False,),
            "text is False; expected 'prediction' or the index of a reference, from 0 to 0.",
        ),
        (
            ("prediction", "rouge1", 2),
            "reference is 2; expected the index of a reference, from 0 to 0.",
        ),
        (
            (0, "rouge3"),
            "Unknown view 'rouge3'; expected one of 'bleu', 'rouge1', 'rouge2', 'rougeL', "
            "'rougeLsum'. Did you mean 'rougeL'?",
        ),
    ],
)
def test_errors_of_marks(arguments: Any, message: str) -> None:
    found = explain("a", "a")
    for show in (found.entities, found.ents):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            show(*arguments)


def test_a_view_is_a_name() -> None:
    with pytest.raises(TypeError, match=r"^view is 0; expected one of 'bleu', 'rouge1', "):
        explain("a", "a").entities("prediction", 0)  # type: ignore[arg-type]


@given(
    any_texts,
    st.lists(any_texts, min_size=1, max_size=2),
    st.sampled_from(list(PROFILES)),
    st.sampled_from(["13a", "unicode", "rouge", "char"]),
)
def test_marks_never_overlap_and_html_keeps_the_texts(
    prediction: str, references: list[str], profile: str, tokenizer: str
) -> None:
    options: dict[str, Any] = {"profile": profile, "tokenizer": tokenizer}
    if is_relevant("rouge_types", profile, PROFILES[profile].families):
        options["rouge_types"] = [*NAMES] if profile in ONE_REFERENCE else TYPES
    if profile in ONE_REFERENCE:
        references = references[:1]
    found = explain(prediction, references, **options)
    for view in {**found.matches, **found.lcs}:
        names: list[str | int] = ["prediction", *range(len(references))]
        for name, text in zip(names, [prediction, *references], strict=True):
            spans = list_spans(found, name, view)
            assert all(0 <= span.start < span.end <= len(text) for span in spans)
            assert all(one.end <= two.start for one, two in pairwise(spans))
            assert "".join(piece for piece, _ in split_text(text, spans)) == text
    str(found).encode()
    found.to_html().encode()


class _Tags(HTMLParser):
    """The tags of a page, and its text without styles."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert {name for name, _ in attrs} <= {"class", "dir", "title"}


def test_html_is_escaped_and_needs_nothing_from_elsewhere() -> None:
    hostile = "<script>alert('&amp;')</script> <img src=x onerror=alert(1)> \" onmouseover=\"x"
    page = explain(hostile, [hostile, "</mark></div><b>"]).to_html()
    parser = _Tags()
    parser.feed(page)
    assert set(parser.tags) == {
        *("div", "style", "h4", "p", "b", "mark", "sup"),
        *("table", "thead", "tbody", "tr", "th", "td"),
    }
    assert "http" not in page
    assert "&lt;" in page
    assert explain("a", "a")._repr_html_() == explain("a", "a").to_html()


def test_plain_text() -> None:
    found = explain("the the cat.", ["the cat", "a dog"], rouge_types=["rouge1"], max_order=2)
    assert (
        str(found)
        == """\
bleu
  prediction: [the]1 [the]2 [cat]2.
  reference 0: [the]2 [cat]2
  reference 1: a dog

rouge1
  prediction: [the]1 [the]\u00d7 [cat]1.
  reference 0: [the]1 [cat]1
  reference 1: a dog

BLEU 0.4082, sentence BLEU 0.4082; brevity penalty 1.0000 = exp(0.0000): prediction length 4, \
reference length 2

n  matched  of  precision  smoothed  weight  w log p
1        2   4     0.5000    0.5000  0.5000  -0.3466
2        1   3     0.3333    0.3333  0.5000  -0.5493

type    reference  matched  prediction  reference has       P       R       F
rouge1        0 *        2           3              2  0.6667  1.0000  0.8000
rouge1          1        0           3              2  0.0000  0.0000  0.0000

The 'rouge' tokenizer drops 1 character of the prediction: '.'."""
    )


def test_plain_text_of_the_other_scores() -> None:
    gleu = str(explain("a b", "a c", profile="google_bleu"))
    assert "Google BLEU 0.3333 = 1 / 3, reference 0" in gleu
    mean = str(explain("a b", ["a c", "b"], family="rouge", multi_reference="mean"))
    assert " mean " in mean
    assert "0.5833" in mean
    empty = str(explain("", "a", profile="sacrebleu"))
    assert "exp(minus infinity)" in empty
    assert "-inf" in empty
