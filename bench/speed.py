"""Time the package and its peers on the same texts in one run, and print tables.

First the scores of ``rouge_score`` and ours are compared (``==``) with both kernels, and the
differences of other peers are counted. Each time is the minimum of repeats; on a busy machine only
the ratios mean something.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import typer
from rich.table import Table
from workloads import (
    KERNELS,
    WORKLOADS,
    Workload,
    best_time,
    make_table,
    print_tables,
    read_workload,
)

from bleu_rouge_metric import bleu_score, rouge_scores, use_kernel
from bleu_rouge_metric.counting import native_kernel
from bleu_rouge_metric.counting.kernels import KernelName
from bleu_rouge_metric.counting.threads import count_threads

TYPES: Final = ["rouge1", "rouge2", "rougeL", "rougeLsum"]

# Colours of the figure.
SERIES = {
    "rouge_score": "#9aa0a6",
    "rouge-score-rs": "#f5a623",
    "ours, Python": "#8ab4f8",
    "ours, compiled": "#1a56db",
}


class Peer(NamedTuple):
    """A library.

    Attributes:
        name: name in the tables.
        score: from a workload to the scores, of any type.
        most_pairs: how many pairs are timed; slow libraries get fewer.
    """

    name: str
    score: Callable[[Workload], Any]
    most_pairs: int


def our_rouge(kernel: KernelName, *, stem: bool, types: list[str] | None = None) -> Peer:
    """Score ROUGE with our functional API."""

    def score(workload: Workload) -> Any:
        with use_kernel(kernel):
            return rouge_scores(
                workload.predictions,
                workload.references,
                rouge_types=types or TYPES,
                use_stemmer=stem,
            )

    return Peer(f"ours, {kernel}", score, 10_000 if kernel == "native" else 500)


def rouge_score(*, stem: bool) -> Peer:
    """Score ROUGE with Google's Python package."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(TYPES, use_stemmer=stem)

    def score(workload: Workload) -> Any:
        pairs = zip(workload.references, workload.predictions, strict=True)
        return [scorer.score(reference, prediction) for reference, prediction in pairs]

    return Peer("rouge_score", score, 50)


def rouge_score_rs(*, stem: bool) -> Peer:
    """Score with a Rust package that has the interface of ``rouge_score``."""
    from rouge_score_rs.rouge_scorer import RougeScorer

    scorer: Any = RougeScorer(TYPES, use_stemmer=stem)  # type: ignore[no-untyped-call]
    return Peer(
        "rouge-score-rs",
        lambda workload: scorer.score_batch(workload.references, workload.predictions),
        10_000,
    )


def rouge_rust() -> Peer:
    """Score with a Rust package for ROUGE-1, 2 and L without a stemmer."""
    import fast_rouge

    return Peer(
        "rouge-rust",
        lambda workload: fast_rouge.score_batch_flat(workload.references, workload.predictions),
        10_000,
    )


def our_bleu(kernel: KernelName) -> Peer:
    """Score corpus BLEU with our functional API."""

    def score(workload: Workload) -> Any:
        with use_kernel(kernel):
            return bleu_score(workload.predictions, workload.references)

    return Peer(f"ours, {kernel}", score, 10_000 if kernel == "native" else 500)


def sacrebleu() -> Peer:
    """Score BLEU with the Python package of the WMT."""
    from sacrebleu.metrics.bleu import BLEU

    def score(workload: Workload) -> Any:
        # A new object each time, because sacrebleu caches references in the object.
        return BLEU(smooth_method="none").corpus_score(workload.predictions, [workload.references])

    return Peer("sacrebleu", score, 1_000)


def bleuscore() -> Peer:
    """Score with a Rust package that gives the numbers of evaluate's ``bleu``."""
    import bleuscore as peer

    return Peer(
        "bleuscore",
        lambda workload: peer.compute(
            [[text] for text in workload.references], workload.predictions
        ),
        10_000,
    )


def nltk() -> Peer:
    """Score BLEU with NLTK, which takes tokens; tokenizing with 13a is not timed."""
    from nltk.translate.bleu_score import corpus_bleu

    from bleu_rouge_metric.text.rules import tokenize_13a

    made: dict[str, list[str]] = {}

    def tokens(text: str) -> list[str]:
        if text not in made:
            made[text] = tokenize_13a(text)
        return made[text]

    def score(workload: Workload) -> Any:
        return corpus_bleu(
            [[tokens(text)] for text in workload.references],
            [tokens(text) for text in workload.predictions],
        )

    return Peer("NLTK, without tokenizing", score, 1_000)


def time_per_pair(peer: Peer, workload: Workload, repeats: int, scale: float) -> float:
    """Return the microseconds per pair."""
    pairs = max(1, min(round(peer.most_pairs * scale), len(workload.predictions)))
    part = workload.head(pairs)
    return best_time(partial(peer.score, part), repeats) / pairs * 1e6


def check_parity(workload: Workload, *, stem: bool) -> str:
    """Stop if we differ from ``rouge_score``; return how often rouge-score-rs does."""
    part = workload.head(min(workload.distinct, 60))
    rows = rouge_score(stem=stem).score(part)
    expected = [[tuple(row[name]) for row in rows] for name in TYPES]
    for kernel in KERNELS:
        scores = our_rouge(kernel, stem=stem).score(part)
        for name, column in zip(TYPES, expected, strict=True):
            if list(zip(*(values.tolist() for values in scores[name]), strict=True)) != column:
                sys.exit(f"{workload.name}, {name}: the {kernel} kernel is not rouge_score.")
    others = rouge_score_rs(stem=stem).score(part)
    differ = sum(
        tuple(row[name]) != tuple(other[name])
        for row, other in zip(rows, others, strict=True)
        for name in TYPES
    )
    return f"{differ} of {len(rows) * len(TYPES)}"


def time_rouge(pairs: int, repeats: int) -> Table:
    """Time the four usual types, and the two libraries that have them."""
    table = make_table(
        "ROUGE-1, 2, L and Lsum, µs per pair",
        *("texts", "stemmer", "rouge_score", "rouge-score-rs", "ours, Python", "ours, compiled"),
        *("× rouge_score", "× rouge-score-rs", "rouge-score-rs differs"),
    )
    for name, corpus in WORKLOADS.items():
        workload = read_workload(name, pairs)
        for stem in (False, True):
            differs = check_parity(workload, stem=stem)
            peers = [rouge_score(stem=stem), rouge_score_rs(stem=stem)]
            peers += [our_rouge(kernel, stem=stem) for kernel in KERNELS]
            times = [time_per_pair(peer, workload, repeats, 1 / corpus.joined) for peer in peers]
            table.add_row(
                *(name, "Porter" if stem else "none"),
                *(f"{microseconds:,.2f}" for microseconds in times),
                *(f"{peer / times[-1]:,.1f}" for peer in times[:2]),
                differs,
            )
    return table


def time_three_types(pairs: int, repeats: int) -> Table:
    """Time ROUGE-1, 2 and L, and the library that has only these."""
    table = make_table(
        "ROUGE-1, 2 and L, µs per pair", *("texts", "rouge-rust", "ours, compiled", "× rouge-rust")
    )
    ours = our_rouge("native", stem=False, types=["rouge1", "rouge2", "rougeL"])
    for name, corpus in WORKLOADS.items():
        workload = read_workload(name, pairs)
        theirs_time = time_per_pair(rouge_rust(), workload, repeats, 1 / corpus.joined)
        ours_time = time_per_pair(ours, workload, repeats, 1 / corpus.joined)
        table.add_row(
            name, f"{theirs_time:.2f}", f"{ours_time:.2f}", f"{theirs_time / ours_time:.1f}"
        )
    return table


def time_bleu(pairs: int, repeats: int) -> Table:
    """Time corpus BLEU."""
    peers = [sacrebleu(), nltk(), bleuscore(), our_bleu("python"), our_bleu("native")]
    table = make_table(
        "BLEU, µs per pair",
        *("texts", *(peer.name for peer in peers), "× sacrebleu", "× bleuscore"),
    )
    for name, corpus in WORKLOADS.items():
        workload = read_workload(name, pairs)
        found: Any = our_bleu("native").score(workload)
        if found != our_bleu("python").score(workload):
            sys.exit(f"{name}: the kernels give different BLEU.")
        if abs(bleuscore().score(workload)["bleu"] - found.bleu) > 1e-12:  # sums in another order
            sys.exit(f"{name}: bleuscore gives a different BLEU.")
        times = [time_per_pair(peer, workload, repeats, 1 / corpus.joined) for peer in peers]
        table.add_row(
            name,
            *(f"{microseconds:,.2f}" for microseconds in times),
            f"{times[0] / times[-1]:,.1f}",
            f"{times[2] / times[-1]:,.1f}",
        )
    return table


def draw(path: Path, table: Table) -> None:
    """Draw one bar per library and kind of text, on a logarithmic scale, without a stemmer."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    columns = {str(column.header): list(column.cells) for column in table.columns}
    plain = [place for place, cell in enumerate(columns["stemmer"]) if cell == "none"]
    names = [str(columns["texts"][place]) for place in plain]
    times = [
        [float(str(columns[series][place]).replace(",", "")) for series in SERIES]
        for place in plain
    ]
    mpl.rcParams["svg.hashsalt"] = "the same picture for the same table"
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    width = 0.8 / len(SERIES)
    for place, (series, colour) in enumerate(SERIES.items()):
        at = [row + (place - (len(SERIES) - 1) / 2) * width for row in range(len(names))]
        bars = axes.bar(at, [row[place] for row in times], width, label=series, color=colour)
        if series == "ours, compiled":
            faster = [f"{row[0] / row[place]:,.0f}×" for row in times]
            axes.bar_label(bars, faster, padding=2, fontsize=7)
    axes.set_yscale("log")
    axes.set_ylabel("µs per pair")
    axes.set_title("ROUGE-1, 2, L and Lsum; above the bars: speedup over rouge_score", fontsize=10)
    axes.set_xticks(range(len(names)), [name.replace(", ", ",\n") for name in names], fontsize=8)
    axes.legend(fontsize=8, ncols=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main(
    pairs: Annotated[int, typer.Option(help="Pairs of each workload.")] = 10_000,
    repeats: Annotated[int, typer.Option(help="Runs of each peer; the fastest counts.")] = 5,
    figure: Annotated[Path | None, typer.Option(help="Draw the first table: .svg, .png.")] = None,
) -> None:
    """Print the times of the package and of its peers."""
    if native_kernel.import_error is not None:
        sys.exit("The compiled kernel is not installed; there is little to compare.")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    threads = count_threads()
    os.environ["RAYON_NUM_THREADS"] = str(threads)
    print(f"commit {commit or 'unknown'}, {threads} threads")
    rouge = time_rouge(pairs, repeats)
    print_tables((rouge, time_three_types(pairs, repeats), time_bleu(pairs, repeats)))
    if figure is not None:
        draw(figure, rouge)


if __name__ == "__main__":
    typer.run(main)
