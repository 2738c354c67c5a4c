"""Time the package and its peers on the same texts in one run.

First the scores of ``rouge_score`` and ours are compared (``==``) with both kernels, and the
differences of other peers are counted. Each time is the minimum of repeats; on a busy machine only
the ratios mean something. ``--figure PATH`` draws the first table as .svg or .png.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from workloads import KERNELS, WORKLOADS, Table, Workload, best_time, in_kernel, read_workload, run

from bleu_rouge_metric import bleu_score, rouge_scores
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
    """A library; slow ones score at most ``most_pairs`` pairs."""

    name: str
    score: Callable[[Workload], Any]
    most_pairs: int = 10_000


def our_peer(kernel: KernelName, score: Callable[..., Any], **options: Any) -> Peer:
    """Score with our functional API."""

    def run_ours(texts: Workload) -> Any:
        call = partial(score, texts.predictions, texts.references, **options)
        return in_kernel(kernel, call)()

    name = {"python": "ours, Python", "native": "ours, compiled"}[kernel]
    return Peer(name, run_ours, 10_000 if kernel == "native" else 500)


def list_rouge_peers(*, stem: bool) -> list[Peer]:
    """List the libraries with the four usual types: rouge_score, a package in Rust, and ours."""
    import rouge_score_rs.rouge_scorer
    from rouge_score.rouge_scorer import RougeScorer

    plain = RougeScorer(TYPES, use_stemmer=stem)
    make_fast: Any = rouge_score_rs.rouge_scorer.RougeScorer
    fast = make_fast(TYPES, use_stemmer=stem)
    options = {"rouge_types": TYPES, "use_stemmer": stem}

    def score_plain(texts: Workload) -> Any:
        return [*map(plain.score, texts.references, texts.predictions)]

    return [
        Peer("rouge_score", score_plain, 50),
        Peer("rouge-score-rs", lambda texts: fast.score_batch(texts.references, texts.predictions)),
        *(our_peer(kernel, rouge_scores, **options) for kernel in KERNELS),
    ]


def list_bleu_peers() -> list[Peer]:
    """List the libraries of corpus BLEU."""
    import bleuscore
    from sacrebleu.metrics.bleu import BLEU

    def score_sacrebleu(texts: Workload) -> Any:
        # A new object each time, because sacrebleu caches references in the object.
        return BLEU(smooth_method="none").corpus_score(texts.predictions, [texts.references])

    def score_bleuscore(texts: Workload) -> Any:
        return bleuscore.compute([[text] for text in texts.references], texts.predictions)

    return [
        Peer("sacrebleu", score_sacrebleu, 1_000),
        Peer("bleuscore", score_bleuscore),
        *(our_peer(kernel, bleu_score) for kernel in KERNELS),
    ]


def time_peers(peers: Sequence[Peer], texts: Workload, repeats: int) -> list[float]:
    """Return the microseconds per pair of each peer."""
    times = []
    for _, score, most_pairs in peers:
        pairs = max(1, min(most_pairs // WORKLOADS[texts.name].joined, len(texts.predictions)))
        times.append(best_time(partial(score, texts.head(pairs)), repeats) / pairs * 1e6)
    return times


def check_parity(texts: Workload, peers: Sequence[Peer]) -> str:
    """Stop if we differ from ``rouge_score``; return how often rouge-score-rs does."""
    part = texts.head(min(texts.distinct, 60))
    rows, others, *ours = (peer.score(part) for peer in peers)
    for kernel, scores in zip(KERNELS, ours, strict=True):
        for name in TYPES:
            columns = (values.tolist() for values in scores[name])
            if [*zip(*columns, strict=True)] != [tuple(row[name]) for row in rows]:
                sys.exit(f"{texts.name}, {name}: the {kernel} kernel is not rouge_score.")
    differ = sum(
        tuple(row[name]) != tuple(other[name])
        for row, other in zip(rows, others, strict=True)
        for name in TYPES
    )
    return f"{differ} of {len(rows) * len(TYPES)}"


def time_rouge(pairs: int, repeats: int) -> Iterator[Sequence[str]]:
    """Time the four usual types, and the two libraries that have them."""
    for name in WORKLOADS:
        texts = read_workload(name, pairs)
        for stem in (False, True):
            peers = list_rouge_peers(stem=stem)
            differ = check_parity(texts, peers)
            times = time_peers(peers, texts, repeats)
            shown = (f"{microseconds:,.2f}" for microseconds in times)
            ratios = (f"{peer / times[-1]:,.1f}" for peer in times[:2])
            yield name, "Porter" if stem else "none", *shown, *ratios, differ


def time_three_types(pairs: int, repeats: int) -> Iterator[Sequence[str]]:
    """Time ROUGE-1, 2 and L without a stemmer, and the library that has only these."""
    import fast_rouge

    peers = [
        Peer("", lambda texts: fast_rouge.score_batch_flat(texts.references, texts.predictions)),
        our_peer("native", rouge_scores, rouge_types=TYPES[:3]),
    ]
    for name in WORKLOADS:
        theirs, ours = time_peers(peers, read_workload(name, pairs), repeats)
        yield name, f"{theirs:.2f}", f"{ours:.2f}", f"{theirs / ours:.1f}"


def time_bleu(pairs: int, repeats: int) -> Iterator[Sequence[str]]:
    """Time corpus BLEU."""
    peers = list_bleu_peers()
    *_, bleuscore, python, native = peers
    for name in WORKLOADS:
        texts = read_workload(name, pairs)
        score: Any = native.score(texts)
        if score != python.score(texts):
            sys.exit(f"{name}: the kernels give different BLEU.")
        if abs(bleuscore.score(texts)["bleu"] - score.bleu) > 1e-12:  # sums in another order
            sys.exit(f"{name}: bleuscore gives a different BLEU.")
        times = time_peers(peers, texts, repeats)
        shown = (f"{microseconds:,.2f}" for microseconds in times)
        yield name, *shown, f"{times[0] / times[-1]:,.1f}", f"{times[1] / times[-1]:,.1f}"


def draw(path: Path, table: Table) -> None:
    """Draw one bar per library and kind of text, on a logarithmic scale, without a stemmer."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    rows = [dict(zip(table.head.split(" | "), row, strict=True)) for row in table.rows]
    rows = [row for row in rows if row["stemmer"] == "none"]
    mpl.rcParams["svg.hashsalt"] = "the same picture for the same table"
    figure, axes = plt.subplots(figsize=(8, 3.6), layout="constrained")
    width = 0.8 / len(SERIES)
    for place, (series, colour) in enumerate(SERIES.items()):
        at = [row + (place - (len(SERIES) - 1) / 2) * width for row in range(len(rows))]
        times = [float(row[series].replace(",", "")) for row in rows]
        bars = axes.bar(at, times, width, label=series, color=colour)
        if series == "ours, compiled":
            faster = [row["× rouge_score"].partition(".")[0] + "×" for row in rows]
            axes.bar_label(bars, faster, padding=2, fontsize=7)
    axes.set_yscale("log")
    axes.set_ylabel("µs per pair")
    axes.set_title("ROUGE-1, 2, L and Lsum; above the bars: speedup over rouge_score", fontsize=10)
    names = [row["texts"].replace(", ", ",\n") for row in rows]
    axes.set_xticks(range(len(rows)), names, fontsize=8)
    axes.legend(fontsize=8, ncols=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main(pairs: int = 10_000, repeats: int = 5, figure: str = "") -> Iterator[Table]:
    """Time the package and its peers."""
    os.environ["RAYON_NUM_THREADS"] = str(count_threads())
    title = f"ROUGE-1, 2, L and Lsum, µs per pair, {count_threads()} threads"
    head = f"texts | stemmer | {' | '.join(SERIES)}"
    head += " | × rouge_score | × rouge-score-rs | rouge-score-rs differs"
    rouge = Table(title, head, [*time_rouge(pairs, repeats)])
    yield rouge
    head = "texts | rouge-rust | ours, compiled | × rouge-rust"
    yield Table("ROUGE-1, 2 and L, µs per pair", head, time_three_types(pairs, repeats))
    names = [peer.name for peer in list_bleu_peers()]
    head = f"texts | {' | '.join(names)} | × sacrebleu | × bleuscore"
    yield Table("BLEU, µs per pair", head, time_bleu(pairs, repeats))
    if figure:
        draw(Path(figure), rouge)


if __name__ == "__main__":
    run(main)
