"""Flat arrays of token ids equal the results of the plain functions of the tokenizer."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bleu_rouge_metric.counting.id_columns import flatten_ids
from bleu_rouge_metric.text.sentences import make_id_splitter
from bleu_rouge_metric.text.tokenizer import make_id_tokenizer

texts = st.lists(st.lists(st.integers(0, 4) | st.just(2**40), max_size=8).map(tuple), max_size=6)


@given(texts, st.none() | st.integers(0, 2))
def test_arrays_hold_the_tokens_and_the_sentences(
    texts: list[tuple[int, ...]], separator: int | None
) -> None:
    arrays = flatten_ids(texts, separator, wants_sentences=True)
    tokenize, split = make_id_tokenizer(separator), make_id_splitter(separator)
    assert len(arrays.bounds) == len(arrays.ends_bounds) == len(texts) + 1
    for index, text in enumerate(texts):
        first, last = arrays.bounds[index : index + 2]
        tokens = arrays.tokens[first:last].tolist()
        assert tokens == tokenize(text)  # type: ignore[arg-type]
        start, stop = arrays.ends_bounds[index : index + 2]
        ends = [0, *arrays.ends[start:stop].tolist()]
        sentences = [tuple(tokens[a:b]) for a, b in pairwise(ends)]
        assert sentences == split(text)  # type: ignore[arg-type]
    assert arrays.sentence_tokens is arrays.tokens
    assert arrays.sentence_bounds is arrays.bounds


@given(texts)
def test_without_sentences_there_are_tokens_alone(texts: list[tuple[int, ...]]) -> None:
    arrays = flatten_ids(texts, None, wants_sentences=False)
    assert arrays.tokens.tolist() == [number for text in texts for number in text]
    assert [len(part) for part in arrays[2:]] == [0, 0, 0, 0]
