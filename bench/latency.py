"""Time calls that score one pair, and the equivalent calls of other libraries.

One pair of sentences of 17 tokens, and one of 150 tokens; and the rewards of 128 completions of 400
tokens for one prompt. Each number is the fastest of several repeats, in microseconds per call; the
calls take turns. Scores of both libraries are compared before they are timed.
"""

import random
from collections.abc import Iterator
from typing import Any

import rouge_score_rs
from rouge_score import rouge_scorer
from sacrebleu.metrics.bleu import BLEU
from workloads import Call, Row, Table, compare, in_kernel, run

from bleu_rouge_metric import PairScorer, Scorer, bleu_score, load, rouge_scores
from bleu_rouge_metric.integrations.rewards import make_reward
from bleu_rouge_metric.integrations.rouge_score import rouge_scorer as shim

PREDICTION = "The quick brown fox jumps over the lazy dog, and then it runs back to its house."
REFERENCE = "A quick brown fox jumped over a lazy dog, and then it ran back to its own house."
TYPES = ("rouge1", "rouge2", "rougeL")
LENGTHS = {17: 1, 150: 9}
COMPLETIONS = 128
COMPLETION_TOKENS = 400


def list_rows(prediction: str, reference: str, *, stem: bool) -> list[Row]:
    """List the rows of a table."""
    texts, targets = [prediction], [reference]
    # Only lists use the fast path.
    other_texts, other_targets = (prediction,), (reference,)
    pair = PairScorer(TYPES, use_stemmer=stem)
    bleu = PairScorer("bleu", profile="sacrebleu")
    make_fast: Any = rouge_score_rs.RougeScorer
    make: Any = rouge_scorer.RougeScorer  # it has no types
    fast = make_fast(list(TYPES), use_stemmer=stem)
    plain = make(list(TYPES), use_stemmer=stem)
    all_types = make([*TYPES, "rougeLsum"], use_stemmer=stem)
    sacrebleu = BLEU(effective_order=True)
    drop_in = shim.RougeScorer(TYPES, use_stemmer=stem)
    kept = Scorer(use_stemmer=stem)
    metric = load()
    expected = plain.score(reference, prediction)
    assert list(pair(prediction, reference)) == [expected[name].fmeasure for name in TYPES]
    assert drop_in.score(reference, prediction) == expected
    assert bleu(prediction, reference) == sacrebleu.sentence_score(prediction, targets).score

    def score_pair() -> Any:
        return pair(prediction, reference)

    def score_sacrebleu() -> Any:
        return sacrebleu.sentence_score(prediction, targets)

    def score_both() -> Any:
        return all_types.score(reference, prediction), score_sacrebleu()

    def update() -> Any:
        kept.reset()
        kept.update(texts, targets)
        return kept.result()

    def score_rouge(predictions: Any, references: Any) -> Any:
        return rouge_scores(predictions, references, rouge_types=TYPES, use_stemmer=stem)

    def compute(predictions: Any, references: Any) -> Any:
        return metric.compute(predictions=predictions, references=references, use_stemmer=stem)

    def score_slowly(score: Any) -> dict[str, Call]:
        return {"the slow path": lambda: score(other_texts, other_targets)}

    rouge: dict[str, Call] = {"rouge_score": lambda: plain.score(reference, prediction)}
    rust: dict[str, Call] = {"rouge-score-rs": lambda: fast.score(reference, prediction)}
    four = {"rouge_score of four types and sacrebleu": score_both}
    alone = {"sacrebleu": score_sacrebleu}
    rows = [
        Row("PairScorer of ROUGE-1, 2 and L", score_pair, rouge | rust),
        Row("drop-in RougeScorer", lambda: drop_in.score(reference, prediction), rouge | rust),
        Row("rouge_scores", lambda: score_rouge(texts, targets), rouge | score_slowly(score_rouge)),
        Row("metric.compute", lambda: compute(texts, targets), four | score_slowly(compute)),
        Row("Scorer.update and result", update, four),
        Row("PairScorer, Python kernel", in_kernel("python", score_pair), rouge),
    ]
    if not stem:
        rows += [
            Row("PairScorer of BLEU (sacrebleu)", lambda: bleu(prediction, reference), alone),
            Row("bleu_score", lambda: bleu_score(texts, targets), alone | score_slowly(bleu_score)),
        ]
    return rows


def make_reward_row(*, stem: bool) -> Row:
    """Make the row of the rewards; the completions differ from the reference and each other."""
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
    return Row("make_reward of ROUGE-L", give, {"rouge_score": score_each})


def main(calls: int = 300, repeats: int = 20) -> Iterator[Table]:
    """Time one pair per call; ``calls`` calls are one repeat."""
    for stem in (False, True):
        ending = f"{'with' if stem else 'without'} stemmer, µs per call"
        for tokens, times in LENGTHS.items():
            texts = " ".join([PREDICTION] * times), " ".join([REFERENCE] * times)
            title = f"One pair of {tokens} tokens, {ending}"
            yield compare(title, list_rows(*texts, stem=stem), repeats, calls=calls)
        title = f"{COMPLETIONS} completions of {COMPLETION_TOKENS} tokens, {ending}"
        yield compare(title, [make_reward_row(stem=stem)], min(repeats, 3))


if __name__ == "__main__":
    run(main)
