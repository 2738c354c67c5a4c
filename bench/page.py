"""Measure the web page: its start, its answers, comparisons beside the API, and its memory.

A comparison reads a CSV file and makes what the page shows. The API reads the same file and makes
the same tests: those of all pairs too, as the page does for up to 2,000 rows. The extras ``app``
and ``bench`` bring what it needs.
"""

import csv
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from gradio_client import Client, handle_file
from workloads import ROOT, Call, Table, best_time, best_times, read_workload, run

from bleu_rouge_metric import Scorer, compare_systems
from bleu_rouge_metric.files.samples import read_systems

sys.path.insert(0, str(ROOT))
from space.samples import Files
from space.systems import MOST_RANKED, score_files
from space.systems_view import show_result

SYSTEMS = 6


def write_systems(path: Path, rows: int) -> Files:
    """Write a table of systems, each of which leaves out another word."""
    texts = read_workload("XSum", rows)
    words = [text.split() for text in texts.predictions]
    systems = {
        f"s{at}": [" ".join([*each[:at], *each[at + 1 :]]) for each in words]
        for at in range(SYSTEMS)
    }
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*systems, "reference"])
        writer.writerows(zip(*systems.values(), texts.references, strict=True))
    return Files([str(path)], [], list(systems), "reference")


def show_files(files: Files) -> str:
    """Return what the page shows of a table of systems."""
    return show_result(score_files(files, {}))


def call_api(files: Files, rows: int) -> list[Any]:
    """Read the same table, and make the same tests."""
    read = read_systems(
        files.systems, [], columns=files.columns or (), reference_column=files.reference_column
    )
    scorers = {name: Scorer() for name in read.systems}
    for name, samples in read.systems.items():
        scorers[name].update_samples(samples)
    designs: list[dict[str, Any]] = [{}, {"pairs": "all"}][: 1 + (rows <= MOST_RANKED)]
    return [compare_systems(scorers, correction="holm", seed=12345, **each) for each in designs]


def compare(rows: int = 10_000, repeats: int = 3) -> Iterator[Table]:
    """Compare six systems, as the page and as the API."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for count in (200, rows):
            path = Path(folder, f"{count}.csv")
            files = write_systems(path, count)
            calls: list[Call] = [
                partial(show_files, files),
                partial(call_api, files, count),
            ]
            page, api = best_times(calls, repeats)
            lines.append((f"{count} rows", f"{page:.2f}", f"{api:.2f}", f"{page - api:.2f}"))
    yield Table(f"{SYSTEMS} systems", "texts | page, s | API, s | more", lines)


def serve(rows: int = 10_000, visits: int = 30) -> Iterator[Table]:
    """Start the page, score pairs, and score a file for each of many visitors."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = time.perf_counter()
    environment = {**os.environ, "GRADIO_SERVER_PORT": str(port)}
    server = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment)
    try:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        page = Client(f"http://127.0.0.1:{port}", verbose=False)
        times = [("cold start", time.perf_counter() - start)]
        for name in ("first score", "edit to score"):
            pair: Any = name, ["the first score of a page", "a score"], {}
            times.append((name, best_time(partial(page.predict, *pair, api_name="/score_pair"), 1)))
        yield Table("One visitor", "what | seconds", [(name, f"{s:.2f}") for name, s in times])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "systems.csv")
            write_systems(path, rows)
            memory = []
            for _ in range(visits):
                visitor = Client(f"http://127.0.0.1:{port}", verbose=False)
                visitor.predict(
                    handle_file(str(path)), [], "s0", "reference", api_name="/score_file"
                )
                status = Path(f"/proc/{server.pid}/status").read_text("utf-8")
                memory.append(int(status.partition("VmRSS:")[2].split()[0]) // 1024)
        shown = [(f"{at}", f"{memory[at - 1]:,}") for at in (1, visits // 2, visits)]
        yield Table(f"Each visitor scores {rows} rows", "visitors | MB of the server", shown)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    run(compare, serve)
