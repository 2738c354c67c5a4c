"""Counts of both kernels equal the counts that ROUGE-1.5.5 prints with ``-t 2``."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from bleu_rouge_metric.counting.kernels import RougeCounts, count_rouge
from bleu_rouge_metric.samples.inputs import check_samples
from bleu_rouge_metric.text.sentences import NEWLINE
from bleu_rouge_metric.text.tokenizer import TOKENIZERS

from .goldens import CORPORA, DATA, read_golden

PROBES = DATA / "peer_suites" / "rouge155_probes.json.gz"


def read_runs() -> dict[str, tuple[list[str], list[list[str]], dict[str, Any]]]:
    """Read by corpus and run: predictions, references and counts by metric.

    Runs with ``-m``, ``-l`` and ``-b`` are left out: they count other tokens.
    """
    runs = {}
    for corpus in CORPORA:
        golden = read_golden(corpus)
        if "rouge155" not in golden.scores:
            continue
        rouge155 = golden.scores["rouge155"]
        for name, counts in rouge155["counts"]["runs"].items():
            if "/m" not in name:
                items = rouge155["items"]
                texts = golden.predictions[:items], golden.references[:items]
                runs[f"{corpus}/{name}"] = (*texts, counts)
    if PROBES.exists():
        probes = json.loads(gzip.decompress(PROBES.read_bytes()))
        predictions = [item["prediction"] for item in probes["items"]]
        references = [item["references"] for item in probes["items"]]
        for name, run in probes["runs"].items():
            if "counts" in run and not {"-m", "-l", "-b"} & set(run["options"].split()):
                runs[f"probes/{name}"] = (predictions, references, run["counts"])
    return runs


RUNS = read_runs()


def to_rouge_type(metric: str) -> str:
    """Return our name of a metric of ROUGE-1.5.5."""
    if metric == "ROUGE-L":
        return "rougeLsum"
    return metric.replace("ROUGE-W", "rougeW").replace("ROUGE-", "rouge")


def list_pairs(counts: RougeCounts, metric: str) -> list[list[float]]:
    """List for each pair the hits, the count of the reference and the count of the prediction."""
    rows = counts.of(to_rouge_type(metric)).tolist()
    if not metric.startswith("ROUGE-W"):
        return [[hits, reference, prediction] for hits, prediction, reference in rows]
    weight = float(metric.removeprefix("ROUGE-W-"))
    # Parity: for the reference ROUGE-1.5.5 applies f to a sum of f.
    return [[hits, base**weight, tokens**weight] for hits, tokens, base in rows]


def add_up(pairs: list[list[float]]) -> list[float]:
    """Sum over all references, as ``-f A`` does."""
    total = [0.0, 0.0, 0.0]
    for pair in pairs:
        total = [before + value for before, value in zip(total, pair, strict=True)]
    return total


def take_best(weight: float) -> Callable[[list[list[float]]], list[float]]:
    """Take the first reference with the best recall of five digits, as ``-f B`` does."""

    def recall(pair: list[float]) -> float:
        # Parity: here ROUGE-1.5.5 divides by the sum of f, without applying f to it.
        base = pair[1] ** (1 / weight)
        return round((pair[0] / base) ** (1 / weight), 5) if base else 0.0

    return lambda pairs: max(pairs, key=recall)


@pytest.mark.usefixtures("kernel")
@pytest.mark.parametrize(
    "run", sorted(RUNS) or [pytest.param("", marks=pytest.mark.skip(reason=f"no {DATA}"))]
)
def test_counts_of_the_program(run: str) -> None:
    predictions, references, expected = RUNS[run]
    samples = check_samples(predictions, references)
    types = [to_rouge_type(metric) for metric in expected]
    counts = count_rouge(samples, types, TOKENIZERS["rouge"], NEWLINE)
    for metric in expected:
        pairs = list_pairs(counts, metric)
        weight = float(metric.removeprefix("ROUGE-W-")) if "-W-" in metric else 1.0
        choose = take_best(weight) if run.endswith("/B") else add_up
        found = [
            choose(pairs[first:last])
            for first, last in zip(samples.offsets[:-1], samples.offsets[1:], strict=True)
        ]
        # Printed with 15 digits; the integers need none of them.
        printed = [[float(f"{value:.15g}") for value in row] for row in found]
        assert printed == expected[metric], metric


def test_all_runs_are_there() -> None:
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not there")
    assert len(RUNS) == 18
    assert len({metric for *_, counts in RUNS.values() for metric in counts}) == 16
