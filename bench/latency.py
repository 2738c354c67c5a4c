"""Time calls that score one pair, and the equivalent calls of other libraries.

One pair of sentences of 17 tokens, and one of 150 tokens; and the rewards of 128 completions of 400
tokens for one prompt. Each number is the fastest of several repeats, in microseconds per call; the
calls take turns. Scores of both libraries are compared before they are timed.
"""

import random
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, NamedTuple

import rouge_score_rs
import typer
from rich.table import Table
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU
from workloads import Call, best_times, make_table, print_tables

from bleu_rouge_metric import PairScorer, Scorer, bleu_score, load, rouge_scores, use_kernel
from bleu_rouge_metric.integrations.rewards import make_reward
from bleu_rouge_metric.integrations.rouge_score import rouge_scorer as shim

PREDICTION = "The quick brown fox jumps over the lazy dog, and then it runs back to its house."
REFERENCE = "A quick brown fox jumped over a lazy dog, and then it ran back to its own house."
TYPES = ("rouge1", "rouge2", "rougeL")
LENGTHS = {17: 1, 150: 9}
COMPLETIONS = 128
COMPLETION_TOKENS = 400


class Row(NamedTuple):
    """Our call and those that it is compared with.

    Attributes:
        name: of our call.
        ours: the call.
        peers: the calls of other libraries; the sum of their times is compared.
        python: whether the Python kernel counts.
        is_long: whether a call of a peer takes seconds; it is called once a repeat.
    """

    name: str
    ours: Call
    peers: dict[str, Call]
    python: bool = False
    is_long: bool = False


def list_rows(prediction: str, reference: str, *, stem: bool) -> list[Row]:
    """List the rows of a table."""
    texts, targets = [prediction], [reference]
    # Only lists use the fast path.
    other_texts, other_targets = (prediction,), (reference,)
    pair = PairScorer(TYPES, use_stemmer=stem)
    bleu = PairScorer("bleu", profile="sacrebleu")
    python = PairScorer(TYPES, use_stemmer=stem)
    make_fast: Any = rouge_score_rs.RougeScorer
    make: Any = rouge_scorer.RougeScorer  # it has no types
    fast = make_fast(list(TYPES), use_stemmer=stem)
    plain = make(list(TYPES), use_stemmer=stem)
    all_types = make([*TYPES, "rougeLsum"], use_stemmer=stem)
    sacrebleu = BLEU(effective_order=True)
    same = shim.RougeScorer(TYPES, use_stemmer=stem)
    kept = Scorer(use_stemmer=stem)
    metric = load()
    expected = plain.score(reference, prediction)
    assert list(pair(prediction, reference)) == [expected[name].fmeasure for name in TYPES]
    assert same.score(reference, prediction) == expected
    assert bleu(prediction, reference) == sacrebleu.sentence_score(prediction, targets).score
    peers: dict[str, Call] = {
        "rouge_score": lambda: plain.score(reference, prediction),
        "rouge-score-rs": lambda: fast.score(reference, prediction),
        "sacrebleu": lambda: sacrebleu.sentence_score(prediction, targets),
        "rouge_score of four types": lambda: all_types.score(reference, prediction),
    }

    def compare_with(*names: str) -> dict[str, Call]:
        return {name: peers[name] for name in names}

    def score_rouge() -> Any:
        return rouge_scores(texts, targets, rouge_types=TYPES, use_stemmer=stem)

    def compute() -> Any:
        return metric.compute(predictions=texts, references=targets, use_stemmer=stem)

    def update() -> Any:
        kept.reset()
        kept.update(texts, targets)
        return kept.result()

    rows = [
        Row("PairScorer of ROUGE-1, 2 and L", lambda: pair(prediction, reference),
            compare_with("rouge_score")),
        Row("the same", lambda: pair(prediction, reference), compare_with("rouge-score-rs")),
        Row("RougeScorer.score of the drop-in", lambda: same.score(reference, prediction),
            compare_with("rouge_score")),
        Row("the same", lambda: same.score(reference, prediction), compare_with("rouge-score-rs")),
        Row("rouge_scores", score_rouge, compare_with("rouge_score")),
        Row("the same", score_rouge, {"the slow path": lambda: rouge_scores(
            other_texts, other_targets, rouge_types=TYPES, use_stemmer=stem)}),
        Row("metric.compute", compute, compare_with("rouge_score of four types", "sacrebleu")),
        Row("the same", compute, {"the slow path": lambda: metric.compute(
            predictions=other_texts, references=other_targets, use_stemmer=stem)}),
        Row("Scorer.update and result", update,
            compare_with("rouge_score of four types", "sacrebleu")),
        Row("PairScorer, Python kernel", lambda: python(prediction, reference),
            compare_with("rouge_score"), python=True),
    ]  # fmt: skip
    if not stem:
        rows[2:2] = [
            Row("PairScorer of BLEU (sacrebleu)", lambda: bleu(prediction, reference),
                compare_with("sacrebleu")),
            Row("bleu_score", lambda: bleu_score(texts, targets), compare_with("sacrebleu")),
            Row("the same", lambda: bleu_score(texts, targets),
                {"the slow path": lambda: bleu_score(other_texts, other_targets)}),
        ]  # fmt: skip
    return rows


def list_rewards(*, stem: bool) -> list[Row]:
    """List the row of the rewards; the completions differ from the reference and each other."""
    draws = random.Random(1)  # noqa: S311 - any texts will do
    words = [f"{first}{last}" for first in "bdfklmnprst" for last in ("ones", "ally", "er", "ing")]
    texts = [" ".join(draws.choices(words, k=COMPLETION_TOKENS)) for _ in range(1 + COMPLETIONS)]
    reference, *completions = texts
    reward: Any = make_reward("rougeL", use_stemmer=stem)
    make: Any = rouge_scorer.RougeScorer
    plain = make(["rougeL"], use_stemmer=stem)
    column = [reference] * COMPLETIONS

    def give() -> Any:
        return reward(prompts=column, completions=completions, ground_truth=column)

    def score_each() -> Any:
        return [plain.score(reference, text)["rougeL"].fmeasure for text in completions]

    assert give() == score_each()
    return [Row("make_reward of ROUGE-L", give, {"rouge_score": score_each}, is_long=True)]


def measure(row: Row, calls: int, repeats: int) -> list[float]:
    """Return the fastest times of our call and of each peer, in microseconds."""

    def repeat(call: Call, times: int) -> None:
        for _ in range(times):
            call()

    with use_kernel("python" if row.python else "native"):
        times = [calls, *([1 if row.is_long else calls] * len(row.peers))]
        every = [
            partial(repeat, *one)
            for one in zip((row.ours, *row.peers.values()), times, strict=True)
        ]
        for call in (row.ours, *row.peers.values()):
            call()
        seconds = best_times(every, repeats)
    return [total / count * 1e6 for total, count in zip(seconds, times, strict=True)]


def compare(title: str, rows: list[Row], calls: int, repeats: int) -> Table:
    """Make the table of some rows."""
    table = make_table(title, "call", "ours", "compared with", "theirs", "times")
    for row in rows:
        ours, *theirs = measure(row, calls, repeats)
        table.add_row(
            row.name,
            f"{ours:.1f}",
            " and ".join(row.peers),
            " + ".join(f"{time:.1f}" for time in theirs),
            f"{sum(theirs) / ours:.1f}",
        )
    return table


def list_tables(calls: int, repeats: int) -> Iterator[Table]:
    """Make the tables."""
    for stem in (False, True):
        ending = f"{'with' if stem else 'without'} stemmer, µs per call"
        for tokens, times in LENGTHS.items():
            pair = " ".join([PREDICTION] * times), " ".join([REFERENCE] * times)
            title = f"One pair of {tokens} tokens, {ending}"
            yield compare(title, list_rows(*pair, stem=stem), calls, repeats)
        title = f"{COMPLETIONS} completions of {COMPLETION_TOKENS} tokens, {ending}"
        yield compare(title, list_rewards(stem=stem), calls, min(repeats, 3))


def main(
    calls: Annotated[int, typer.Option(help="Calls of a repeat.")] = 300,
    repeats: Annotated[int, typer.Option(help="The fastest of so many repeats counts.")] = 20,
) -> None:
    """Print the tables."""
    print_tables(list_tables(calls, repeats))


if __name__ == "__main__":
    typer.run(main)
