"""Integer counts compared with results worked by hand and with the textbook."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import _summary_level_lcs, lcs_ind

from bleu_rouge_metric.counting.kernels import count_bleu, count_rouge
from bleu_rouge_metric.counting.lcs import count_union_lcs, lcs_length, list_lcs_pairs
from bleu_rouge_metric.counting.ngrams import count_clipped_matches, count_overlap, list_ngrams
from bleu_rouge_metric.counting.rouge_types import ROUGE_N
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE, split_newline
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer, add_stemmer

from ..support import textbook
from ..support.strategies import samples, sentences, tokens


@given(tokens, tokens)
def test_lcs_length_is_that_of_the_table(reference: list[str], prediction: list[str]) -> None:
    assert lcs_length(reference, prediction) == textbook.lcs_length(reference, prediction)


def test_lcs_of_more_tokens_than_a_machine_word_has_bits() -> None:
    generator = np.random.default_rng(0)
    for length in (63, 64, 65, 300):
        first = generator.integers(0, 5, length).tolist()
        second = generator.integers(0, 5, length + 7).tolist()
        assert lcs_length(first, second) == textbook.lcs_length(first, second)


@given(tokens, tokens, st.integers(1, 5))
def test_overlap_is_the_intersection_of_multisets(
    prediction: list[str], reference: list[str], order: int
) -> None:
    found = count_overlap(list_ngrams(prediction, order), list_ngrams(reference, order))
    expected = textbook.overlap(
        textbook.ngrams(prediction, order), textbook.ngrams(reference, order)
    )
    assert found == expected


@given(tokens, st.lists(tokens, min_size=1, max_size=4), st.integers(1, 6))
def test_clipped_matches_are_those_of_the_union_of_the_references(
    prediction: list[str], references: list[list[str]], max_order: int
) -> None:
    expected = []
    for order in range(1, max_order + 1):
        most: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            most |= textbook.ngrams(reference, order)
        expected.append(textbook.overlap(textbook.ngrams(prediction, order), most))
    assert count_clipped_matches(prediction, references, max_order) == expected


@given(sentences, sentences)
def test_union_lcs_equals_rouge_score(
    reference: list[list[str]], prediction: list[list[str]]
) -> None:
    expected = _summary_level_lcs(reference, prediction)
    recall = count_union_lcs(reference, prediction) / max(1, sum(map(len, reference)))
    assert recall == expected.recall


@given(tokens.filter(bool), tokens)
def test_one_sentence_gives_the_positions_that_rouge_score_picks(
    reference: list[str], prediction: list[str]
) -> None:
    from bleu_rouge_metric.counting.lcs import _lcs_positions, _locate

    positions, full = _locate(reference)
    picked = _lcs_positions(positions, full, prediction)
    assert [i for i in range(len(reference)) if picked >> i & 1] == lcs_ind(reference, prediction)


@given(tokens, tokens)
def test_lcs_pairs_are_those_that_rouge_score_picks(
    reference: list[str], prediction: list[str]
) -> None:
    pairs = list_lcs_pairs(reference, prediction)
    assert [there for _, there in pairs] == lcs_ind(reference, prediction)
    assert all(prediction[here] == reference[there] for here, there in pairs)
    assert [here for here, _ in pairs] == sorted({here for here, _ in pairs})


def test_union_lcs_of_the_paper() -> None:
    reference = [["w1", "w2", "w3", "w4", "w5"]]
    prediction = [["w1", "w2", "w6", "w7", "w8"], ["w1", "w3", "w8", "w9", "w5"]]
    assert count_union_lcs(reference, prediction) == 4


def test_union_lcs_counts_a_token_as_often_as_the_prediction_has_it() -> None:
    assert count_union_lcs([["a"], ["a"], ["b"]], [["a", "b"]]) == 2


@pytest.mark.usefixtures("kernel")
def test_bleu_counts_by_hand() -> None:
    checked = check_samples(["the the the cat", ""], [["the cat", "the the dog"], "a"])
    counts = count_bleu(checked, 3, TOKENIZERS["whitespace"])
    assert counts.matches.tolist() == [[3, 2, 0], [0, 0, 0]]
    assert counts.prediction_lengths.tolist() == [4, 0]
    assert counts.reference_lengths.tolist() == [2, 3, 1]
    assert {array.dtype for array in counts} == {np.dtype(np.int64)}


@pytest.mark.usefixtures("kernel")
def test_rouge_counts_by_hand() -> None:
    checked = check_samples(["a b c\nd", "x"], [["a b", "d\na b c"], "y"])
    types = ["rougeLsum", "rouge2", "rougeL", "rouge1"]
    counts = count_rouge(checked, types, TOKENIZERS["rouge"], NEWLINE).integers
    assert counts.dtype == np.int64
    assert counts.tolist() == [
        [[2, 4, 2], [1, 3, 1], [2, 4, 2], [2, 4, 2]],
        [[4, 4, 4], [2, 3, 3], [3, 4, 4], [4, 4, 4]],
        [[0, 1, 1], [0, 0, 0], [0, 1, 1], [0, 1, 1]],
    ]


@pytest.mark.parametrize("rouge_type", [*ROUGE_N, "rougeL", "rougeLsum"])
def test_a_type_counts_alone_as_it_does_among_others(rouge_type: str) -> None:
    checked = check_samples(["a b c d\ne a b", "a a"], [["a b d\na", "e\na b"], "a\na a"])
    every = [*ROUGE_N, "rougeL", "rougeLsum"]
    among = count_rouge(checked, every, TOKENIZERS["rouge"], NEWLINE).integers
    alone = count_rouge(checked, [rouge_type], TOKENIZERS["rouge"], NEWLINE).integers
    assert alone[:, 0].tolist() == among[:, every.index(rouge_type)].tolist()


OURS = [tokenizer for tokenizer in TOKENIZERS.values() if not tokenizer.needs]
STEMMED = [add_stemmer(tokenizer, stemmer=True) for tokenizer in OURS if tokenizer.stemmed]


@given(samples, st.sampled_from([*OURS, *STEMMED]))
def test_the_summary_counts_the_tokens_of_its_sentences(
    generated: list[tuple[str, list[str]]], tokenize: Tokenizer
) -> None:
    checked = check_samples([text for text, _ in generated], [refs for _, refs in generated])
    counts = count_rouge(checked, ["rougeL", "rougeLsum"], tokenize, NEWLINE).integers
    pairs = [(text, reference) for text, references in generated for reference in references]
    for (prediction, reference), (lcs, summary) in zip(pairs, counts.tolist(), strict=True):
        tokens, reference_tokens = tokenize(prediction), tokenize(reference)
        length = textbook.lcs_length(reference_tokens, tokens)
        assert lcs == [length, len(tokens), len(reference_tokens)]
        of_lines = (isinstance(tokenize, Tokenizer) and tokenize.of_sentences) or tokenize
        lines = [of_lines(line) for line in split_newline(prediction)]
        reference_lines = [of_lines(line) for line in split_newline(reference)]
        assert summary[0] == count_union_lcs(reference_lines, lines)
        assert summary[1:] == [sum(map(len, lines)), sum(map(len, reference_lines))]


@pytest.mark.usefixtures("kernel")
def test_a_sentence_may_have_other_tokens_than_its_text() -> None:
    checked = check_samples(["a-\n"], ["a"])
    counts = count_rouge(checked, ["rougeL", "rougeLsum"], TOKENIZERS["13a"], NEWLINE).integers
    assert counts.tolist() == [[[1, 1, 1], [0, 1, 1]]]


def test_long_texts_are_counted() -> None:
    checked = check_samples(["a b\n" * 5_000, "a" * 10_000], ["b a\n" * 5_000, "a " * 10_000])
    types = ["rouge1", "rougeL", "rougeLsum"]
    counts = count_rouge(checked, types, TOKENIZERS["rouge"], NEWLINE).integers
    total = 10_000
    assert counts.tolist() == [
        [[total, total, total], [total - 1, total, total], [5_000, total, total]],
        [[0, 1, total], [0, 1, total], [0, 1, total]],
    ]
