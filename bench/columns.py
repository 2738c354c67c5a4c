"""Time ``score_table``, and the calls per row that it replaces.

Each number is the fastest of several runs, in microseconds per row. The columns of ``score_table``
are first compared with those of every other way.
"""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, NamedTuple

import datasets
import pandas as pd
import pyarrow as pa
import typer
from rich.table import Table
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from workloads import best_times, make_table, print_tables, read_workload

from bleu_rouge_metric import PairScorer, score_table

Frame = Any
Score = Callable[[str, str], float]


class Row(NamedTuple):
    """A score, and the library that gives it pair by pair.

    Attributes:
        score: name of the score.
        options: of ``score_table``.
        peer: name of the library.
        call: from a prediction and its reference to the score.
    """

    score: str
    options: dict[str, Any]
    peer: str
    call: Score


def list_rows() -> list[Row]:
    """List the scores that are compared with other libraries."""
    rouge: Any = RougeScorer(["rougeL"])
    stemmed: Any = RougeScorer(["rougeL"], use_stemmer=True)
    bleu = BLEU(effective_order=True)
    return [
        Row("rougeL", {}, "rouge_score", lambda p, r: rouge.score(r, p)["rougeL"].fmeasure),
        Row(
            "rougeL",
            {"use_stemmer": True},
            "rouge_score",
            lambda p, r: stemmed.score(r, p)["rougeL"].fmeasure,
        ),
        Row(
            "bleu",
            {"profile": "sacrebleu"},
            "sacrebleu",
            lambda p, r: bleu.sentence_score(p, [r]).score,
        ),
    ]


def apply(frame: Frame, call: Score) -> list[float]:
    """Score row by row, as real code does."""
    scored = frame.apply(lambda row: call(row["prediction"], row["reference"]), axis=1)
    scores: list[float] = scored.tolist()
    return scores


def loop(frame: Frame, call: Score) -> list[float]:
    """Score pair by pair without the cost of ``apply``."""
    return list(map(call, frame["prediction"], frame["reference"]))


def compare_rows(frame: Frame, few: int, repeats: int) -> Table:
    """Compare with a call per row: of ``PairScorer``, and of another library."""
    table = make_table(
        f"A pandas DataFrame of {len(frame):,} rows; peers: the first {few:,}",
        *(
            "score",
            "score_table, µs",
            "loop of PairScorer, µs",
            "×",
            "apply of PairScorer, µs",
            "×",
        ),
        *("apply of a peer, µs", "×"),
    )
    head = frame.head(few)
    for score, options, peer, call in list_rows():
        pair = PairScorer(score, **options)
        ours = score_table(frame, score, **options)[score].tolist()
        assert ours == apply(frame, pair) == loop(frame, pair)
        assert ours[:few] == apply(head, call)
        batch = (
            best_times([partial(score_table, frame, score, **options)], repeats)[0]
            / len(frame)
            * 1e6
        )
        by_loop = best_times([partial(loop, frame, pair)], repeats)[0] / len(frame) * 1e6
        by_pair = best_times([partial(apply, frame, pair)], repeats)[0] / len(frame) * 1e6
        by_peer = best_times([partial(apply, head, call)], repeats)[0] / few * 1e6
        options_shown = ", ".join(f"{name}={value!r}" for name, value in options.items())
        table.add_row(
            f"{score} {options_shown}".strip(),
            *(f"{batch:.2f}", f"{by_loop:.2f}", f"{by_loop / batch:.1f}"),
            *(f"{by_pair:.2f}", f"{by_pair / batch:.0f}"),
            *(f"{peer} {by_peer:,.1f}", f"{by_peer / batch:,.0f}"),
        )
    return table


def compare_tables(frame: Frame, repeats: int) -> Table:
    """Compare the kinds of tables, and lists that are already there, with the default scores."""
    columns = {name: frame[name].tolist() for name in frame.columns}
    scorer = PairScorer(("rougeL", "bleu"))
    kinds: dict[str, Any] = {
        "dict of lists": columns,
        "pandas": frame,
        "Arrow": pa.table(columns),
        "datasets": datasets.Dataset.from_dict(columns),
    }
    try:
        import polars as pl
    except ModuleNotFoundError:
        pass
    else:
        kinds["Polars"] = pl.DataFrame(columns)
    table = make_table(f"rougeL and bleu, {len(frame):,} rows", *("table", "µs per row"))
    expected = [array.tolist() for array in scorer.batch(*columns.values())]
    batch = partial(scorer.batch, *columns.values())
    table.add_row(
        "PairScorer.batch of lists", f"{best_times([batch], repeats)[0] / len(frame) * 1e6:.2f}"
    )
    for name, kind in kinds.items():
        scored: Any = score_table(kind)
        assert [list(map(float, scored[score])) for score in ("rougeL", "bleu")] == expected
        seconds = best_times([partial(score_table, kind)], repeats)[0] / len(frame) * 1e6
        table.add_row(name, f"{seconds:.2f}")
    return table


def main(
    rows: Annotated[int, typer.Option(help="Rows of the tables.")] = 50_000,
    few: Annotated[int, typer.Option(help="Rows that other libraries score.")] = 500,
    workload: Annotated[str, typer.Option(help="What the texts are.")] = "XSum",
    repeats: Annotated[int, typer.Option(help="Runs of each row; the fastest counts.")] = 3,
) -> None:
    """Print the time of a row as part of a table, and alone."""
    texts = read_workload(workload, rows)
    frame = pd.DataFrame({"prediction": texts.predictions, "reference": texts.references})
    print_tables((compare_rows(frame, few, repeats), compare_tables(frame, repeats)))


if __name__ == "__main__":
    typer.run(main)
