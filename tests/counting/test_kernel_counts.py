"""The compiled kernel counts the same integers as the kernel in Python."""

import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bleu_rouge_metric.counting import native_kernel, python_kernel
from bleu_rouge_metric.counting.rouge_types import ANY_DISTANCE, CountPlan, plan_bleu
from bleu_rouge_metric.samples.inputs import Samples, check_samples
from bleu_rouge_metric.text.sentences import NEWLINE, SentenceSplitter
from bleu_rouge_metric.text.tokenizer import TOKENIZERS, Tokenizer, add_stemmer

from ..conftest import needs_native
from ..support.strategies import examples

pytestmark = needs_native

ROUGE, WHITESPACE = TOKENIZERS["rouge"], TOKENIZERS["whitespace"]
CALLABLE = Tokenizer("spaces", lambda text: text.split(" "))
EACH_TOKENIZER = [
    *(ROUGE, TOKENIZERS["13a"], WHITESPACE, TOKENIZERS["char"]),
    *(add_stemmer(ROUGE, stemmer=True), CALLABLE),
]

EVERYTHING = CountPlan(
    orders=(1, 2, 3, 9),
    lcs=True,
    summary=True,
    skip_distances=(1, 5, 9, ANY_DISTANCE),
    unigrams_but_last=True,
    weights=(1.0, 1.2, 2.5),
)
# All types together, the counts of the paper, and each type without some other types.
PLANS = [
    EVERYTHING,
    EVERYTHING._replace(lin2004=True, unigrams_but_last=False),
    CountPlan((1, 2), summary=True),
    CountPlan((1,), lcs=True, weights=(1.2,)),
    CountPlan((), skip_distances=(2, 40)),
    EVERYTHING._replace(once=True, pairs=True),
    EVERYTHING._replace(pairs=True),
    CountPlan((1, 2), lcs=True, once=True),
]
# The types that the Python kernel counts fast for long texts.
QUICK_PLANS = [
    CountPlan((1, 2, 9), lcs=True, summary=True, skip_distances=(5,), unigrams_but_last=True),
    CountPlan((1, 2), summary=True),
    CountPlan((1,), lcs=True),
    CountPlan((1, 2, 9), lcs=True, once=True, pairs=True),
    CountPlan(pairs=True),
]


def assert_kernels_agree(
    samples: Samples,
    tokenize: Tokenizer = WHITESPACE,
    split: SentenceSplitter = NEWLINE,
    *,
    max_order: int = 4,
    plans: Iterable[CountPlan] = PLANS,
) -> None:
    for plan in (plan_bleu(max_order), *plans):
        found = native_kernel.count(samples, plan, tokenize, split)
        assert_same(found, python_kernel.count(samples, plan, tokenize, split))


def assert_same(found: Sequence[NDArray[Any]], expected: Sequence[NDArray[Any]]) -> None:
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        assert ours.tolist() == theirs.tolist()


words = st.sampled_from(["a", "b", "c", "the", "The", "running", "runs", "1,000", "-", "."])
longer = st.sampled_from([*"abcdefgh", "internationalisation", "I\u0307", "\u212a", "\ud800"])
separators = st.sampled_from([" ", " ", "\n", "-\n", "  ", "\u2003", "<skipped>"])
generated = st.one_of(
    st.lists(st.one_of(words, longer, separators)).map(" ".join),
    st.lists(st.tuples(words, separators).map("".join)).map("".join),
    st.text(),
)
generated_samples = st.lists(
    st.tuples(generated, st.lists(generated, min_size=1, max_size=3)), min_size=1, max_size=4
).map(lambda items: check_samples(*map(list, zip(*items, strict=True))))


@pytest.mark.parametrize("tokenize", EACH_TOKENIZER)
@given(samples=generated_samples, max_order=st.integers(1, 9))
@examples(2)
def test_generated_samples(tokenize: Tokenizer, samples: Samples, max_order: int) -> None:
    orders = tuple(range(1, max_order + 1))
    plans = [plan._replace(orders=orders) for plan in PLANS]
    assert_kernels_agree(samples, tokenize, max_order=max_order, plans=plans)


@pytest.mark.parametrize("tokenize", [ROUGE, TOKENIZERS["13a"], CALLABLE])
@given(samples=generated_samples)
def test_custom_sentences(tokenize: Tokenizer, samples: Samples) -> None:
    def split(text: str) -> list[str]:
        return [part + "." for part in text.split("a") if part]

    for function in (split, lambda text: [text] * 2, lambda _: []):
        assert_kernels_agree(samples, tokenize, SentenceSplitter("a callable", function))


def make_text(generator: random.Random, tokens: int, kinds: int, sentence: int) -> str:
    """Make random words, some frequent and most rare, in sentences of about a given length."""
    text = []
    for _ in range(tokens):
        text.append(f"w{min(int(generator.expovariate(3 / kinds)), kinds)}")
        text.append("\n" if generator.randrange(sentence) == 0 else " ")
    return "".join(text)


@pytest.mark.parametrize(
    ("kinds", "sentence"), [(1, 5), (3, 70), (3, 10**9), (40, 5), (40, 10**9), (5000, 70)]
)
@pytest.mark.parametrize(
    "tokens", [62, 63, 64, 65, 66, 127, 128, 129, 130, 192, 193, 256, 257, 300, 512, 513, 1500]
)
def test_texts_around_and_beyond_one_machine_word(tokens: int, kinds: int, sentence: int) -> None:
    generator = random.Random(f"{tokens}/{kinds}/{sentence}")
    lengths = [max(tokens + more, 0) for more in (0, 0, -1, 7, -40, 90)]
    texts = [make_text(generator, length, kinds, sentence) for length in lengths]
    plans = PLANS if tokens < 200 else QUICK_PLANS
    # The last reference equals its prediction.
    samples = check_samples(texts[:2], [texts[2:4], [*texts[4:], texts[1]]])
    assert_kernels_agree(samples, ROUGE, max_order=9, plans=plans)


@pytest.mark.parametrize("kinds", [2, 900])
def test_rows_of_long_sentences_are_made_again_on_the_way_back(kinds: int) -> None:
    generator = random.Random(kinds)
    texts = [make_text(generator, 1500, kinds, 10**9) for _ in range(2)]
    plan = CountPlan(skip_distances=(3, 700, ANY_DISTANCE), unigrams_but_last=True, weights=(1.2,))
    plans = [plan, CountPlan(weights=(2.0,), lin2004=True)]
    samples = check_samples([f"{texts[0]}\n{texts[1][:200]}"], [f"{texts[1]}\n{texts[0][:300]}"])
    assert_kernels_agree(samples, plans=plans)
    longer = [make_text(generator, 4000, kinds, 10**9) for _ in range(3)]
    samples = check_samples([f"{longer[0]}\na b"], [f"{longer[1]}\n{longer[2]}"])
    assert_kernels_agree(samples, plans=QUICK_PLANS)


@pytest.mark.parametrize("tokens", [63, 64, 65, 66, 127, 130, 258, 600])
def test_many_references_of_a_long_prediction(tokens: int) -> None:
    # Some references have no token, and some have none in common with the prediction.
    generator = random.Random(tokens)
    references = [make_text(generator, generator.choice([0, 1, 9, tokens]), 8, 9) for _ in range(9)]
    references += ["", "x y z", references[0], "w0 " * tokens]
    samples = check_samples([make_text(generator, tokens, 8, 20)], [references])
    assert_kernels_agree(samples, max_order=9)


@pytest.mark.parametrize("max_order", [64, 130])
def test_orders_beyond_a_machine_word(max_order: int) -> None:
    references = ["a b " * 50, "a b " * 49 + "c"]
    predictions = [references[0], "a " * 64, "a b", ""]
    assert_kernels_agree(check_samples(predictions, [references] * 4), max_order=max_order)


@pytest.mark.parametrize("text", ["a", "a ", "a b ", "a\n", "ab\n\n", ". ", "5.", "-\n"])
def test_one_piece_many_times(text: str) -> None:
    # There are few lines because the Python kernel compares each line with each.
    times = 300 if "\n" in text else 10_000
    samples = check_samples([text * times], [[text * (times - 50), "a b"]])
    for tokenize in (ROUGE, TOKENIZERS["13a"]):
        assert_kernels_agree(samples, tokenize, max_order=3, plans=QUICK_PLANS)


def test_words_that_share_their_first_bytes_are_told_apart() -> None:
    long = [f"{'x' * 40}{i}{'y' * 40}" for i in range(300)] + ["z" * 16, "z" * 17, "z\0", "z"]
    generator = random.Random(5)
    texts = [" ".join(generator.choices(long, k=500)) for _ in range(4)]
    assert_kernels_agree(check_samples(texts[:2], [texts[2:], texts[3]]))


@pytest.mark.parametrize("tokenize", [ROUGE, CALLABLE])
def test_the_number_of_threads_changes_nothing(
    tokenize: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = random.Random(2)
    texts = [make_text(generator, generator.randrange(60), 30, 8) for _ in range(3000)]
    samples = check_samples(texts[:1000], list(zip(texts[1000:2000], texts[2000:], strict=True)))
    plan = EVERYTHING._replace(skip_distances=(5,), weights=(1.2,))
    expected = python_kernel.count(samples, plan, tokenize, NEWLINE)
    for threads in ("1", "2", "7", "64", "1024"):
        monkeypatch.setenv("BLEU_ROUGE_THREADS", threads)
        assert_same(native_kernel.count(samples, plan, tokenize, NEWLINE), expected)


# Equal lines, which both kernels count once.

LINE_PLANS = [
    CountPlan(summary=True),
    CountPlan(summary=True, lin2004=True),
    CountPlan(summary=True, weights=(1.2,)),
]


@pytest.mark.parametrize("longest", [4, 12, 100])
def test_both_kernels_agree_on_repeated_lines(longest: int) -> None:
    generator = random.Random(longest)
    # ROUGE-W of long lines takes Python too long.
    plans = LINE_PLANS if longest < 64 else LINE_PLANS[:2]

    def make_lines() -> str:
        sizes = [generator.randrange(longest) for _ in range(12)]
        lines = [" ".join(generator.choices("abcdefgh", k=size)) for size in sizes]
        # From 64 lines on, the compiled kernel merges equal lines.
        return "\n".join(generator.choices(lines, k=generator.randrange(50, 120)))

    for _ in range(4):
        texts = [make_lines() for _ in range(4)]
        assert_kernels_agree(check_samples(texts[:2], [texts[2:], texts[1:]]), ROUGE, plans=plans)


@pytest.mark.parametrize("plan", [LINE_PLANS[0], CountPlan(weights=(1.2,))])
def test_the_time_of_equal_lines_grows_with_their_number_not_its_square(
    plan: CountPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BLEU_ROUGE_THREADS", "1")

    def take(lines: int) -> float:
        samples = check_samples(["a b c d e f\n" * lines], ["a c b d f e\n" * lines])
        times = []
        for _ in range(3):
            start = time.process_time()
            native_kernel.count(samples, plan, ROUGE, NEWLINE)
            times.append(time.process_time() - start)
        return min(times)

    # Sixteen times the lines take 16 to 20 times the time; they took 256 times it.
    assert take(8_000) < 64 * take(500)
