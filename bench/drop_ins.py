"""Time the drop-ins beside the libraries whose import lines they replace.

    python bench/drop_ins.py libraries | captions | packages

Both are called with the same arguments, on sentences of XSum, or on generated texts.
Their results are compared (``==``) before they are timed. The number is the processor time of all
threads, which other programs of a shared machine disturb less: the least of several repeats, which
take turns, in microseconds per sample. PTBTokenizer is timed if Java is installed.
"""

import logging
import random
import shutil
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple

import nltk.translate.bleu_score as nltk_bleu
import rouge_score.rouge_scorer
import sacrebleu
import typer
from rich.table import Table
from workloads import (
    Call,
    Workload,
    best_times,
    check_equal,
    make_table,
    print_tables,
    read_workload,
)

from bleu_rouge_metric import Scorer, use_kernel
from bleu_rouge_metric.integrations import rouge_score as our_rouge
from bleu_rouge_metric.integrations import sacrebleu as our_sacrebleu
from bleu_rouge_metric.integrations.nltk import bleu_score as our_nltk_bleu
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

TYPES = ["rouge1", "rouge2", "rougeL"]

# Of the packages rouge and rouge_chinese: words per text, and pairs of texts.
SIZES = ((20, 200), (60, 60), (300, 4))

REFERENCES = 5
WORDS = [
    *("a", "the", "one", "two", "man", "woman", "child", "dog", "cat", "horse", "bus", "train"),
    *("table", "plate", "kitchen", "street", "beach", "field", "ball", "phone", "umbrella"),
    *("red", "brown", "small", "large", "sitting", "standing", "riding", "holding", "walking"),
    *("on", "in", "with", "next", "to", "of", "and", "near"),
]

Captions = dict[int, list[str]]


class Row(NamedTuple):
    """A program of one library.

    Attributes:
        name: of the call.
        theirs: the program with the library.
        ours: the program with the import line changed.
    """

    name: str
    theirs: Call
    ours: Call


def read_score(score: Any) -> tuple[Any, ...]:
    """Return the numbers of a score of sacrebleu."""
    return score.score, score.precisions, score.counts, score.totals, score._mean, score._ci  # noqa: SLF001


def list_sacrebleu(library: Any, workload: Workload, n_bootstrap: int) -> list[Call]:
    """List the calls of sacrebleu."""
    texts, targets = workload.predictions, workload.references
    metric = library.BLEU(effective_order=True)
    return [
        lambda: read_score(library.corpus_bleu(texts, [targets])),
        lambda: read_score(library.BLEU().corpus_score(texts, [targets], n_bootstrap)),
        lambda: [
            read_score(library.sentence_bleu(text, [target]))
            for text, target in zip(texts, targets, strict=True)
        ],
        lambda: [
            read_score(metric.sentence_score(text, [target]))
            for text, target in zip(texts, targets, strict=True)
        ],
    ]


def list_nltk(module: Any, workload: Workload) -> list[Call]:
    """List the calls of NLTK."""
    tokens = [text.split() for text in workload.predictions]
    targets = [[text.split()] for text in workload.references]
    smooth = module.SmoothingFunction().method3
    numbers: dict[str, int] = {}
    ids, target_ids = (
        [[numbers.setdefault(word, len(numbers)) for word in text.split()] for text in side]
        for side in (workload.predictions, workload.references)
    )
    return [
        lambda: module.corpus_bleu(targets, tokens),
        lambda: [
            module.sentence_bleu(references, hypothesis, smoothing_function=smooth)
            for references, hypothesis in zip(targets, tokens, strict=True)
        ],
        lambda: [
            module.sentence_bleu([reference], hypothesis, smoothing_function=smooth)
            for reference, hypothesis in zip(target_ids, ids, strict=True)
        ],
    ]


def list_rouge(package: Any, workload: Workload) -> list[Call]:
    """List the calls of rouge_score."""
    scorers = [package.rouge_scorer.RougeScorer(TYPES, use_stemmer=stem) for stem in (False, True)]

    def score(scorer: Any) -> list[Any]:
        pairs = zip(workload.references, workload.predictions, strict=True)
        return [scorer.score(target, text) for target, text in pairs]

    return [lambda: score(scorers[0]), lambda: score(scorers[1])]


def list_rows(workload: Workload, n_bootstrap: int) -> list[Row]:
    """List the programs, each with both libraries."""
    names = [
        *("sacrebleu.corpus_bleu", f"sacrebleu BLEU().corpus_score, n_bootstrap={n_bootstrap}"),
        *("sacrebleu.sentence_bleu", "sacrebleu BLEU(…).sentence_score", "nltk corpus_bleu"),
        *("nltk sentence_bleu, method3", "nltk sentence_bleu of ids, method3"),
        *("rouge_score RougeScorer.score", "rouge_score RougeScorer.score, with the stemmer"),
    ]
    theirs, ours = (
        [
            *list_sacrebleu(bleu, workload, n_bootstrap),
            *list_nltk(module, workload),
            *list_rouge(package, workload),
        ]
        for bleu, module, package in (
            (sacrebleu, nltk_bleu, rouge_score),
            (our_sacrebleu, our_nltk_bleu, our_rouge),
        )
    )
    return [Row(*row) for row in zip(names, theirs, ours, strict=True)]


def make_captions(images: int) -> tuple[Captions, Captions]:
    """Make references and predictions by id; a caption shares most words with the others."""
    draws = random.Random(1)  # noqa: S311 - any texts will do
    gts: Captions = {}
    res: Captions = {}
    for image in range(images):
        words = draws.choices(WORDS, k=draws.randint(8, 14))
        every = [
            " ".join(word if draws.random() < 0.7 else draws.choice(WORDS) for word in words)
            for _ in range(1 + REFERENCES)
        ]
        res[image], gts[image] = every[:1], every[1:]
    return gts, res


def list_caption_rows(gts: Captions, res: Captions) -> list[Row]:
    """List the programs of captions."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    from bleu_rouge_metric.integrations import pycocoevalcap as ours

    scorer = Scorer(profile="coco")
    predictions, references = [captions[0] for captions in res.values()], [*gts.values()]

    def score_both() -> Any:
        scorer.reset()
        scorer.update(predictions, references)
        return [*scorer.result().values()]

    def score_theirs() -> Any:
        return [*Bleu(4).compute_score(gts, res, 0)[0], Rouge().compute_score(gts, res)[0]]

    rows = [
        Row(
            "Bleu(4).compute_score",
            lambda: Bleu(4).compute_score(gts, res, 0),
            lambda: ours.Bleu(4).compute_score(gts, res, 0),
        ),
        Row(
            "Rouge().compute_score",
            lambda: Rouge().compute_score(gts, res),
            lambda: ours.Rouge().compute_score(gts, res),
        ),
        Row("Scorer(profile='coco')", score_theirs, score_both),
    ]
    if "ptb" in TOKENIZERS and shutil.which("java"):
        captions = {key: [{"caption": text} for text in own] for key, own in gts.items()}
        rows.append(
            Row(
                "PTBTokenizer().tokenize",
                lambda: PTBTokenizer().tokenize(captions),
                lambda: ours.PTBTokenizer().tokenize(captions),
            )
        )
    return rows


def make_texts(words: int, count: int, seed: int) -> list[str]:
    """Make texts of frequent and rare words, with a full stop behind every 18th word."""
    draws = random.Random(seed)  # noqa: S311 - any texts will do
    texts = []
    for _ in range(count):
        drawn = [f"w{int(draws.expovariate(0.02))}" for _ in range(words)]
        drawn[17::18] = [f"{word}." for word in drawn[17::18]]
        texts.append(" ".join(drawn))
    return texts


def list_package_rows(words: int, pairs: int) -> list[Row]:
    """List the programs of rouge and rouge_chinese: one call for all pairs, and one per pair."""
    import rouge
    import rouge_chinese

    from bleu_rouge_metric.integrations import rouge as ours
    from bleu_rouge_metric.integrations import rouge_chinese as ours_chinese

    hyps, refs = make_texts(words, pairs, seed=1), make_texts(words, pairs, seed=2)

    def score_alone(scorer: Any) -> list[Any]:
        return [scorer.get_scores(hyp, ref) for hyp, ref in zip(hyps, refs, strict=True)]

    rows = []
    for module, own in ((rouge, ours), (rouge_chinese, ours_chinese)):
        scorers = module.Rouge(), own.Rouge()
        together = [partial(scorer.get_scores, hyps, refs) for scorer in scorers]
        alone = [partial(score_alone, scorer) for scorer in scorers]
        name = f"{module.__name__}, {words} words"
        rows += [Row(name, *together), Row(f"{name}, one pair per call", *alone)]
    return rows


def compare(
    title: str,
    rows: list[Row],
    units: int,
    repeats: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Table:
    """Compare the results of each row, and time them."""
    table = make_table(title, "call", "original, µs", "drop-in, µs", "times", "Python kernel, µs")
    for name, theirs, ours in rows:
        check_equal(name, ours(), theirs())
        slow, fast = best_times([theirs, ours], repeats, clock)
        with use_kernel("python"):
            (python,) = best_times([ours], repeats, clock)
        shown = [f"{seconds / units * 1e6:.2f}" for seconds in (slow, fast, python)]
        table.add_row(name, *shown[:2], f"{slow / fast:.0f}", shown[2])
    return table


app = typer.Typer()
Repeats = Annotated[int, typer.Option(help="The fastest of so many repeats counts.")]


@app.command()
def libraries(
    samples: Annotated[int, typer.Option(help="Pairs of sentences.")] = 1000,
    n_bootstrap: Annotated[int, typer.Option(help="Resamples of sacrebleu's interval.")] = 1000,
    repeats: Repeats = 5,
) -> None:
    """Compare with sacrebleu, NLTK and rouge_score, in µs per sample."""
    warnings.simplefilter("ignore")
    logging.disable()
    rows = list_rows(read_workload("XSum", samples), n_bootstrap)
    print_tables([compare("µs per sample", rows, samples, repeats, time.process_time)])


@app.command()
def captions(
    images: Annotated[int, typer.Option(help="Predictions, each with five references.")] = 2_000,
    repeats: Repeats = 5,
) -> None:
    """Compare with pycocoevalcap, in µs per image."""
    rows = list_caption_rows(*make_captions(images))
    title = f"{images:,} captions with {REFERENCES} references each, µs per image"
    print_tables([compare(title, rows, images, repeats)])


@app.command()
def packages(repeats: Repeats = 3) -> None:
    """Compare with rouge and rouge_chinese, in µs per pair."""
    print_tables(
        compare("µs per pair", list_package_rows(*size), size[1], repeats) for size in SIZES
    )


if __name__ == "__main__":
    app()
