"""The texts that are timed: real system outputs, repeated or joined to the requested size."""

import json
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

DATA: Final = Path(__file__).parent.parent.parent / "shared" / "data"

# The kind of the texts, their corpus, and how many of its texts make one text.
WORKLOADS: Final = {
    "XSum": ("xsum_convs2s", 1),
    "TED translation": ("ted_slk_en", 1),
    "WMT17 translation": ("wmt17_en_de", 1),
    "CNN/DailyMail, by lines": ("cnndm_simcls_nl", 1),
    "DUC 2004, by lines": ("duc2004_4refs_nl", 1),
    "long documents, by lines": ("cnndm_simcls_nl", 10),
}


class Workload(NamedTuple):
    """Pairs of texts.

    Attributes:
        name: kind of the texts.
        predictions: one text per pair.
        references: one text per pair.
        distinct: how many pairs are different; the others repeat them.
    """

    name: str
    predictions: list[str]
    references: list[str]
    distinct: int

    def head(self, pairs: int) -> "Workload":
        """Return the first pairs."""
        return Workload(
            self.name, self.predictions[:pairs], self.references[:pairs], min(self.distinct, pairs)
        )


def read_workload(name: str, pairs: int) -> Workload:
    """Read a workload of ``WORKLOADS`` with the requested number of pairs."""
    corpus, joined = WORKLOADS[name]
    lines = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8").split("\n")
    samples = [json.loads(line) for line in lines if line]
    predictions = join([sample["prediction"] for sample in samples], joined)
    references = join([sample["references"][0] for sample in samples], joined)
    return Workload(
        name,
        list(islice(cycle(predictions), pairs)),
        list(islice(cycle(references), pairs)),
        min(pairs, len(predictions)),
    )


def run_apart(code: str) -> Any:
    """Run code in a new process in the folder of the benchmarks; return the JSON that it prints."""
    output = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return json.loads(output)


def join(texts: list[str], count: int) -> list[str]:
    """Join texts to documents, one text per line; every text starts one document."""
    return ["\n".join(islice(cycle(texts), at, at + count)) for at in range(len(texts))]


def make_length(tokens: int, pairs: int) -> Workload:
    """Make pairs of texts of one sentence and about ``tokens`` tokens, from news summaries."""
    corpus, _ = WORKLOADS["CNN/DailyMail, by lines"]
    lines = (DATA / f"{corpus}.jsonl").read_bytes().decode("utf-8").split("\n")
    samples = [json.loads(line) for line in lines if line]
    predicted = [word for sample in samples for word in sample["prediction"].split()]
    expected = [word for sample in samples for word in sample["references"][0].split()]
    starts = [(at * 7919) % len(predicted) for at in range(pairs)]
    return Workload(
        f"{tokens:,} tokens",
        [" ".join(islice(cycle(predicted), at, at + tokens)) for at in starts],
        [" ".join(islice(cycle(expected), at, at + tokens)) for at in starts],
        pairs,
    )
