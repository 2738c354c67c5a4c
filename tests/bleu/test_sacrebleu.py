"""BLEU with the arithmetic of sacrebleu: worked examples, and comparison with the library."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.families.bleu.rules import make_bleu_rules

from ..support.bleu_references import Corpus, corpus_score, sacrebleu_scores, score_texts
from ..support.strategies import spaced_corpora


@st.composite
def smoothings(draw: st.DrawFn) -> dict[str, Any]:
    """Make a smoothing of sacrebleu, with a value if it takes one."""
    smooth = draw(st.sampled_from(["none", "floor", "add-k", "exp"]))
    value = st.none() | st.integers(0, 3) | st.floats(0, 1e3)
    takes_value = smooth in ("floor", "add-k")
    return {"smooth": smooth, "smooth_value": draw(value) if takes_value else None}


def _renamed(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "smooth_method": options["smooth"],
        "smooth_value": options["smooth_value"],
        "max_ngram_order": options["max_order"],
    }


options = st.builds(
    lambda smoothing, max_order: smoothing | {"max_order": max_order},
    smoothings(),
    st.integers(1, 10),
)


@given(spaced_corpora, options, st.sampled_from([None, False, True]))
def test_corpus_bleu_equals_sacrebleu(
    corpus: Corpus, options: dict[str, Any], effective_order: bool | None
) -> None:
    score = corpus_score(corpus, arithmetic="sacrebleu", effective_order=effective_order, **options)
    assert [score] == sacrebleu_scores(
        corpus, effective_order=bool(effective_order), **_renamed(options)
    )


@given(spaced_corpora, options, st.sampled_from([None, False, True]))
def test_sentence_bleu_equals_sacrebleu(
    corpus: Corpus, options: dict[str, Any], effective_order: bool | None
) -> None:
    rules = make_bleu_rules(arithmetic="sacrebleu", effective_order=effective_order, **options)
    expected = sacrebleu_scores(
        corpus,
        is_sentence=True,
        effective_order=effective_order is not False,
        **_renamed(options),
    )
    assert score_texts(corpus, rules)[1] == [score["score"] for score in expected]
