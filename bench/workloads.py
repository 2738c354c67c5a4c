"""The texts that are timed: real system outputs, repeated to the size that is asked for."""

import json
from itertools import cycle, islice
from pathlib import Path
from typing import Final, NamedTuple

DATA: Final = Path(__file__).parent.parent.parent / "shared" / "data"

# What the texts are, and the corpus that they come from.
WORKLOADS: Final = {
    "XSum, one sentence": "xsum_convs2s",
    "TED translation, one sentence": "ted_slk_en",
    "WMT17 translation, one sentence": "wmt17_en_de",
    "CNN/DailyMail, a sentence a line": "cnndm_simcls_nl",
    "DUC 2004, a sentence a line": "duc2004_4refs_nl",
}


class Workload(NamedTuple):
    """Pairs of texts.

    Attributes:
        name: what the texts are.
        predictions: one per pair.
        references: one per pair.
        distinct: how many of the pairs differ; the others repeat them.
    """

    name: str
    predictions: list[str]
    references: list[str]
    distinct: int


def read_workload(name: str, pairs: int | None = None) -> Workload:
    """The workload of a name in ``WORKLOADS``.

    Args:
        name: a key of ``WORKLOADS``.
        pairs: how many pairs; None for those of the corpus, once.
    """
    lines = (DATA / f"{WORKLOADS[name]}.jsonl").read_bytes().decode("utf-8").split("\n")
    samples = [json.loads(line) for line in lines if line]
    chosen = list(islice(cycle(samples), pairs or len(samples)))
    return Workload(
        name,
        [sample["prediction"] for sample in chosen],
        [sample["references"][0] for sample in chosen],
        min(len(samples), len(chosen)),
    )
