"""Time ``score_table``, and the calls per row that it replaces.

Each number is the fastest of several runs, in microseconds per row. The columns of ``score_table``
are first compared with those of every other way.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from workloads import Call, Row, Table, best_time, compare, read_workload, run

from bleu_rouge_metric import PairScorer, score_table

Frame = Any
Score = Callable[[str, str], float]


def apply(frame: Frame, call: Score) -> list[float]:
    """Score row by row, as real code does."""
    scored = frame.apply(lambda row: call(row["prediction"], row["reference"]), axis=1)
    scores: list[float] = scored.tolist()
    return scores


def loop(frame: Frame, call: Score) -> list[float]:
    """Score pair by pair without the cost of ``apply``."""
    return list(map(call, frame["prediction"], frame["reference"]))


def list_rows(frame: Frame, few: int) -> Iterator[Row]:
    """List each score with a call per row: of ``PairScorer``, and of a library on few rows."""
    rouge: Any = RougeScorer(["rougeL"])
    stemmed: Any = RougeScorer(["rougeL"], use_stemmer=True)
    bleu = BLEU(effective_order=True)
    head = frame.head(few)
    peers: list[tuple[str, dict[str, Any], Score]] = [
        ("rougeL", {}, lambda p, r: rouge.score(r, p)["rougeL"].fmeasure),
        ("rougeL", {"use_stemmer": True}, lambda p, r: stemmed.score(r, p)["rougeL"].fmeasure),
        ("bleu", {"profile": "sacrebleu"}, lambda p, r: bleu.sentence_score(p, [r]).score),
    ]
    for score, options, call in peers:
        pair = PairScorer(score, **options)
        ours = partial(score_table, frame, score, **options)
        expected = ours()[score].tolist()
        assert expected == apply(frame, pair) == loop(frame, pair)
        assert expected[:few] == apply(head, call)
        name = f"{score} {options or ''}".strip()
        ways = {f"{way.__name__} of PairScorer": partial(way, frame, pair) for way in (loop, apply)}
        yield Row(name, ours, ways, len(frame))
        yield Row(name, ours, {"apply of a peer": partial(apply, head, call)}, len(frame), few)


def time_kinds(frame: Frame, repeats: int) -> Iterator[tuple[str, str]]:
    """Time the kinds of tables, and lists that are already there, with the default scores."""
    columns = {name: frame[name].tolist() for name in frame.columns}
    batch = partial(PairScorer(("rougeL", "bleu")).batch, *columns.values())
    expected = [array.tolist() for array in batch()]
    kinds: dict[str, Any] = {
        "dict of lists": columns,
        "pandas": frame,
        "Arrow": pa.table(columns),
        "datasets": datasets.Dataset.from_dict(columns),
    }
    with suppress(ModuleNotFoundError):
        kinds["Polars"] = import_module("polars").DataFrame(columns)
    for kind in kinds.values():
        scored: Any = score_table(kind)
        assert [list(map(float, scored[score])) for score in ("rougeL", "bleu")] == expected
    works: dict[str, Call] = {"PairScorer.batch of lists": batch}
    works |= {name: partial(score_table, kind) for name, kind in kinds.items()}
    for name, work in works.items():
        yield name, f"{best_time(work, repeats) / len(frame) * 1e6:.2f}"


def main(
    rows: int = 50_000, few: int = 500, workload: str = "XSum", repeats: int = 3
) -> Iterator[Table]:
    """Time a row as part of a table, and alone; other libraries score ``few`` rows."""
    texts = read_workload(workload, rows)
    frame = pd.DataFrame({"prediction": texts.predictions, "reference": texts.references})
    yield compare(
        f"A pandas DataFrame of {rows:,} rows, µs per row", list_rows(frame, few), repeats
    )
    kinds = time_kinds(frame, repeats)
    yield Table(f"rougeL and bleu, {rows:,} rows", "table | µs per row", kinds)


if __name__ == "__main__":
    run(main)
