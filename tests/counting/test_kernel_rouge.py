"""ROUGE-W, ROUGE-S and ROUGE-SU in both kernels, worked by hand.

``tests/rouge/test_rouge155_program.py`` compares them with the program on generated texts.
"""

import pytest

from bleu_rouge_metric.counting.kernels import RougeCounts, count_rouge
from bleu_rouge_metric.counting.weighted_lcs import MOST_TOKENS
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

pytestmark = pytest.mark.usefixtures("kernel")


def count(
    prediction: str, references: str | list[str], *types: str, lin2004: bool = False
) -> RougeCounts:
    samples = check_samples([prediction], [references])
    return count_rouge(samples, types, TOKENIZERS["whitespace"], NEWLINE, lin2004=lin2004)


def count_one(prediction: str, reference: str, name: str, *, lin2004: bool = False) -> list[float]:
    """Return hits, total of the prediction and total of the reference."""
    row: list[float] = count(prediction, reference, name, lin2004=lin2004).of(name)[0].tolist()
    return row


BY_HAND: list[tuple[str, str, str, list[float]]] = [
    # Skip-bigrams, in order. Of the six pairs ab ac ad bc bd cd: ac ad cd; cd alone; ab and cd.
    ("a x c d", "a b c d", "rougeS", [3, 6, 6]),
    ("c d x a", "a b c d", "rougeS", [1, 6, 6]),
    ("c d a b", "a b c d", "rougeS", [2, 6, 6]),
    ("d c b a", "a b c d", "rougeS", [0, 6, 6]),
    # No adjacent pair is shared. A gap of one token adds ac and bd; a gap of two adds ad and bc.
    ("a b c d", "b a d c", "rougeS0", [0, 3, 3]),
    ("a b c d", "b a d c", "rougeS1", [2, 5, 5]),
    ("a b c d", "b a d c", "rougeS2", [4, 6, 6]),
    ("a b c d", "b a d c", "rougeS9", [4, 6, 6]),
    # Those that a text repeats are clipped, and they cross lines.
    ("a b a b", "a b b", "rougeS", [3, 6, 3]),
    ("a\nb", "a b", "rougeS0", [1, 1, 1]),
    # The program leaves the last unigram out.
    ("x y z", "q r z", "rougeSU4", [0, 5, 5]),
    ("x", "x", "rougeSU4", [0, 0, 0]),
    ("x y", "x z", "rougeSU", [1, 2, 2]),
    # The program counts runs of the reference: tokens between the matches of the prediction do not
    # matter. A weight of 1 is the LCS.
    ("a b c d x y z", "a b c d e f g", "rougeW-2", [16, 7, 49]),
    ("a x b y c z d", "a b c d e f g", "rougeW-2", [16, 7, 49]),
    ("a b c d", "a x b y c z d", "rougeW-2", [4, 4, 49]),
    ("a b x c d", "b a c d", "rougeW-1", [3, 5, 4]),
    # The program unites sentences: "a b c" is one run of three.
    ("a b\nx\nc", "a b c", "rougeW-2", [9, 4, 9]),
    # The first sentence takes the only "b"; in the others "a" is then never added up by itself.
    ("b\na b\na", "b\na b", "rougeW-2", [1 + 4, 4, 5]),
    ("a b", "b\na b", "rougeW-2", [1, 2, 5]),
    # "a" waits behind the clipped "b" until "a" after "x".
    ("a b\na", "b\na b x a", "rougeW-2", [1 + 4, 3, 17]),
    ("a b", "a\na\nb", "rougeLsum", [2, 2, 3]),
]
OF_THE_PAPER: list[tuple[str, str, str, list[float]]] = [
    ("x y z", "q r z", "rougeSU4", [1, 6, 6]),
    ("x", "x", "rougeSU4", [1, 1, 1]),
    ("a b c d x y z", "a b c d e f g", "rougeW-2", [16, 7, 7]),
    ("a x b y c z d", "a b c d e f g", "rougeW-2", [4, 7, 7]),
    # In the one text "x" interrupts the run.
    ("a b\nx\nc", "a b c", "rougeW-2", [5, 4, 3]),
    ("a b", "a\na\nb", "rougeLsum", [3, 2, 3]),
]


@pytest.mark.parametrize(("prediction", "reference", "name", "expected"), BY_HAND)
def test_counts_by_hand(prediction: str, reference: str, name: str, expected: list[float]) -> None:
    assert count_one(prediction, reference, name) == expected


@pytest.mark.parametrize(("prediction", "reference", "name", "expected"), OF_THE_PAPER)
def test_counts_of_the_paper_by_hand(
    prediction: str, reference: str, name: str, expected: list[float]
) -> None:
    assert count_one(prediction, reference, name, lin2004=True) == expected


def test_columns_stand_in_the_order_that_was_asked() -> None:
    names = ["rougeW-2", "rougeSU4", "rouge2", "rougeS4", "rougeW", "rougeL", "rougeS", "rougeS*"]
    counts = count("a b x c", ["a b c", "c"], *names)
    assert counts.types == tuple(names)
    assert counts.integers.shape == (2, 6, 3)
    assert counts.weighted.shape == (2, 2, 3)
    for name in names:
        assert counts.of(name).tolist() == count("a b x c", ["a b c", "c"], name).of(name).tolist()
    assert counts.of("rougeSU4").tolist() == [[5, 9, 5], [0, 9, 0]]
    with pytest.raises(KeyError, match="rouge1"):
        counts.of("rouge1")


# A text of one token has one kind of pair. These are more than 2 ** 31 or 2 ** 32 of it; 65,536 is
# the most tokens that the compiled kernel counts in 32 bits with any gap.
@pytest.mark.parametrize("tokens", [65_536, 65_537, 100_000])
def test_one_pair_is_counted_more_than_2_to_the_32_times(tokens: int) -> None:
    text = "a " * tokens
    distance = tokens - 10_000
    within = distance * tokens - distance * (distance + 1) // 2
    gap = distance - 1
    names = ("rougeS", f"rougeS{gap}", f"rougeSU{gap}")
    counts = count(text, f"b {text}", *names).integers[0].tolist()
    pairs = tokens * (tokens - 1) // 2
    assert counts == [
        [pairs, pairs, pairs + tokens],
        [within, within, within + distance],
        [within + tokens - 1, within + tokens - 1, within + distance + tokens],
    ]


@pytest.mark.parametrize("lin2004", [False, True])
def test_the_longest_sentence_that_rouge_w_counts(*, lin2004: bool) -> None:
    text = "a " * MOST_TOKENS
    assert count_one("a", text, "rougeW-1", lin2004=lin2004) == [1, 1, MOST_TOKENS]
    assert count_one(text, "a", "rougeW-1", lin2004=lin2004) == [1, MOST_TOKENS, 1]


@pytest.mark.parametrize(
    "longest", [pytest.param(0, id="reference"), pytest.param(1, id="prediction")]
)
@pytest.mark.parametrize("lin2004", [False, True])
def test_a_sentence_too_long_for_rouge_w_is_an_error(longest: int, *, lin2004: bool) -> None:
    texts = ["a b", "the " * (MOST_TOKENS + 1)]
    prediction, reference = texts[longest], texts[1 - longest]
    samples = check_samples(["x", prediction], ["x", ["a", reference]])
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        count_rouge(samples, ["rougeW"], TOKENIZERS["whitespace"], NEWLINE, lin2004=lin2004)
    first = reference if longest == 0 else "a"
    assert str(raised.value) == (
        "A sentence has more than 65535 tokens, the most that ROUGE-W counts: of the prediction "
        f"that begins with {prediction[:40]!r}, or of its reference that begins with "
        f"{first[:40]!r}. Split it into lines, or leave 'rougeW' out."
    )
