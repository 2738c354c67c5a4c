"""The profile ``coco``: its scores by the book, and its options."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric import load
from bleu_rouge_metric.options.profiles import BOTH
from bleu_rouge_metric.options.table import is_relevant

from ..conftest import unfit_texts
from ..support import textbook

pytestmark = [pytest.mark.quick, *unfit_texts]

BLEU = ("Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4")

words = st.lists(st.sampled_from(["a", "b", "cat", "", "\t", "the", "\ud800", "é"]), max_size=9)
pairs = st.tuples(words.map(" ".join), st.lists(words.map(" ".join), min_size=1, max_size=4))


def compute(**given: Any) -> dict[str, Any]:
    scores: dict[str, Any] = load().compute(**given, profile="coco")
    return scores


@pytest.mark.usefixtures("kernel")
@given(st.lists(pairs, min_size=1, max_size=20))
def test_scores_are_those_of_the_formulas(samples: list[tuple[str, list[str]]]) -> None:
    predictions, references = [list(side) for side in zip(*samples, strict=True)]
    given: dict[str, Any] = {"predictions": predictions, "references": references}
    counts = [textbook.count_sample(*sample) for sample in samples]
    found = compute(**given, sentence_bleu=True)
    assert [found[name] for name in BLEU] == textbook.coco_bleu(counts)
    each = [textbook.coco_bleu([row]) for row in counts]
    assert found["sentence_bleu"] == [list(column) for column in zip(*each, strict=True)]
    parts = [textbook.coco_rouge(*sample) for sample in samples]
    assert found["ROUGE_L"] == float(np.mean([score for _, _, score in parts]))
    detailed = compute(**given, use_aggregator=False, detailed=True)["ROUGE_L"]
    assert list(zip(*detailed.values(), strict=True)) == parts


def test_the_mean_of_rouge_is_numpys() -> None:
    rng = np.random.default_rng(5)
    texts = [" ".join(rng.choice([*"abcdefg"], 7)) for _ in range(300)]
    samples: Any = {"predictions": texts[:150], "references": [[text] for text in texts[150:]]}
    scores = compute(**samples, use_aggregator=False)["ROUGE_L"]
    whole = compute(**samples)["ROUGE_L"]
    assert whole == float(np.mean(np.array(scores))) != sum(scores) / len(scores)


def test_options_that_coco_does_not_use() -> None:
    unused = "smooth weights reference_length effective_order auto_reweigh min_order rouge_types"
    for name in f"{unused} multi_reference beta sentence_splitter".split():
        assert not is_relevant(name, "coco", BOTH)


def test_options_that_change_tokens_are_used() -> None:
    texts: dict[str, Any] = {"predictions": ["The cats"], "references": [["the cat"]]}
    assert compute(**texts)["Bleu_1"] < 1e-9
    assert compute(**texts, lowercase=True)["Bleu_1"] == pytest.approx(0.5)
    assert compute(**texts, use_stemmer="english")["ROUGE_L"] == 1.0
    assert compute(**texts, rouge_tokenizer="char")["ROUGE_L"] > 0.7
    assert compute(**texts, stop_words=["The", "the"])["ROUGE_L"] == 0.0
    assert compute(**texts, word_limit=1)["ROUGE_L"] == 0.0


def test_bleu_splits_tokens_of_ptb_at_no_break_spaces_and_rouge_does_not() -> None:
    # "1 1/2" is one token, with a no-break space.
    texts: dict[str, Any] = {"predictions": ["1 1/2 cups"], "references": [["1 1/3 cups"]]}
    scores = compute(**texts, tokenizer="ptb", max_order=1)
    assert scores["Bleu_1"] == pytest.approx(2 / 3)
    assert scores["ROUGE_L"] == pytest.approx(0.5)
