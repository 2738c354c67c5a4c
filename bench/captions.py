"""Time the classes of pycocoevalcap and ours under the same names, on generated captions.

Each number is the fastest of several repeats, in milliseconds; the two take turns. Their results
are compared with ``==`` before they are timed. PTBTokenizer is timed if Java is installed.
"""

import platform
import random
import shutil
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, NamedTuple

import typer
from peers import describe_run
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from bleu_rouge_metric import Scorer, use_kernel
from bleu_rouge_metric.integrations import pycocoevalcap as ours
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

REFERENCES = 5
WORDS = [
    *("a", "the", "one", "two", "man", "woman", "child", "dog", "cat", "horse", "bus", "train"),
    *("table", "plate", "kitchen", "street", "beach", "field", "ball", "phone", "umbrella"),
    *("red", "brown", "small", "large", "sitting", "standing", "riding", "holding", "walking"),
    *("on", "in", "with", "next", "to", "of", "and", "near"),
]

Captions = dict[int, list[str]]


class Row(NamedTuple):
    """Two calls with the same result."""

    name: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]


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


def list_rows(gts: Captions, res: Captions) -> list[Row]:
    """List what is timed, and compare the results."""
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
            lambda: ours.Bleu(4).compute_score(gts, res, 0),
            lambda: Bleu(4).compute_score(gts, res, 0),
        ),
        Row(
            "Rouge().compute_score",
            lambda: ours.Rouge().compute_score(gts, res),
            lambda: Rouge().compute_score(gts, res),
        ),
        Row("Scorer(profile='coco')", score_both, score_theirs),
    ]
    if "ptb" in TOKENIZERS and shutil.which("java"):
        captions = {key: [{"caption": text} for text in own] for key, own in gts.items()}
        rows.append(
            Row(
                "PTBTokenizer().tokenize",
                lambda: ours.PTBTokenizer().tokenize(captions),
                lambda: PTBTokenizer().tokenize(captions),
            )
        )
    for row in rows:
        assert repr(row.ours()) == repr(row.theirs()) or row.ours() == row.theirs(), row.name
    return rows


def measure(call: Callable[[], Any]) -> float:
    """Return the time of one call, in milliseconds."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e3


def main(
    images: Annotated[int, typer.Option(help="Predictions, each with five references.")] = 2_000,
    repeats: Annotated[int, typer.Option(help="The fastest of so many repeats counts.")] = 5,
) -> None:
    """Print the table."""
    console = Console(width=120)
    console.print(f"python {' '.join(sys.argv)}, Python {platform.python_version()}")
    console.print(f"pycocoevalcap {version('pycocoevalcap')}, {describe_run()}", highlight=False)
    gts, res = make_captions(images)
    title = f"{images:,} captions with {REFERENCES} references each, ms"
    table = Table("call", "native", "Python", "pycocoevalcap", "times", title=title, box=MARKDOWN)
    for row in list_rows(gts, res):
        times: dict[str, list[float]] = {"native": [], "python": [], "theirs": []}
        for _ in range(repeats):
            for kernel in ("native", "python"):
                with use_kernel(kernel):
                    times[kernel].append(measure(row.ours))
            times["theirs"].append(measure(row.theirs))
        native, python, theirs = (min(values) for values in times.values())
        numbers = (f"{native:.1f}", f"{python:.1f}", f"{theirs:.1f}", f"{theirs / native:.1f}")
        table.add_row(row.name, *numbers)
    console.print(table)


if __name__ == "__main__":
    typer.run(main)
