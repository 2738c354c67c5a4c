"""Draw the speed table of the README; standard input is the output of ``speed.py``.

python bench/speed.py | tee speed.md | python bench/plot.py docs/speed.svg
"""

import sys
from pathlib import Path
from typing import Annotated

import matplotlib as mpl
import typer
from matplotlib import pyplot as plt

SERIES = {
    "rouge_score": "#9aa0a6",
    "rouge-score-rs": "#f5a623",
    "ours, Python": "#8ab4f8",
    "ours, compiled": "#1a56db",
}


def read_table(lines: list[str]) -> tuple[list[str], list[list[float]]]:
    """Read the names of the rows without a stemmer, and the microseconds of each series."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    header = next(row for row in cells if "rouge_score" in row)
    columns = [header.index(name) for name in SERIES]
    rows = [row for row in cells if len(row) == len(header) and row[1] == "none"]
    times = [[float(row[column].replace(",", "")) for column in columns] for row in rows]
    return [row[0] for row in rows], times


def main(path: Annotated[Path, typer.Argument(help="The picture, .svg or .png.")]) -> None:
    """Draw one bar per library and kind of text, on a logarithmic scale."""
    names, times = read_table(sys.stdin.read().splitlines())
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


if __name__ == "__main__":
    typer.run(main)
