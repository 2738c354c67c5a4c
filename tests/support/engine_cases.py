"""Samples and options for the tests of the engines, their scores in one process, and Ray."""

import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import pyarrow as pa
import pytest

from bleu_rouge_metric import Scorer
from bleu_rouge_metric.engines import count_batch

from ..conftest import ROOT, require
from ..parity.goldens import DATA
from .commands import PREDICTIONS, REFERENCES

# Engines use deprecated functions, and leave files open at their end.
UNDER_ENGINES: Final = [
    pytest.mark.extra,
    pytest.mark.filterwarnings(
        "ignore::DeprecationWarning",
        "ignore::FutureWarning",
        "ignore::ResourceWarning",
        "ignore::pytest.PytestUnraisableExceptionWarning",
    ),
]

# Options by name; together they need every kind of count.
OPTIONS: dict[str, dict[str, Any]] = {
    "both families": {},
    "an interval": {"confidence": 0.9, "n_resamples": 50, "detailed": True},
    "every sample": {"use_aggregator": False, "sentence_bleu": True},
    "rouge-w": {"family": "rouge", "rouge_types": ["rougeW-1.2", "rougeL", "rougeW-2"]},
    "stems": {"family": "rouge", "use_stemmer": True, "rouge_types": ["rougeLsum", "rouge2"]},
    "sacrebleu": {"profile": "sacrebleu", "lowercase": True},
    "nltk": {"profile": "nltk", "smooth": "method5", "sentence_bleu": True},
    "google_bleu": {"profile": "google_bleu", "max_order": 3, "sentence_bleu": True},
    "codexglue": {"profile": "codexglue", "sentence_bleu": True},
    "coco": {"profile": "coco", "max_order": 3, "sentence_bleu": True, "detailed": True},
    "an interval of coco": {"profile": "coco", "confidence": 0.9, "n_resamples": 50},
    "rouge-1.5.5": {"profile": "rouge-1.5.5", "n_resamples": 20, "byte_limit": 75},
    "lin2004": {"profile": "lin2004", "rouge_types": ["rougeW", "rougeSU4", "rougeS"]},
}

# Corpora that engines count, and with which of the options.
CORPORA: Final = [
    ("toy", "an interval"),
    ("dailydialog_5refs", "an interval"),
    ("msvd_captions_manyrefs", "rouge-w"),
    ("xsum_convs2s", "sacrebleu"),
    ("xsum_convs2s", "rouge-1.5.5"),
    ("e2e_tgen_multiref", "google_bleu"),
    ("ted_slk_en", "nltk"),
]

TABLE: Final = pa.table(
    {"id": range(len(PREDICTIONS)), "prediction": PREDICTIONS, "reference": REFERENCES}
)

ROUGE_1: dict[str, Any] = {"family": "rouge", "rouge_types": ["rouge1"]}
IDS = {"prediction": [[5, 6, -100], [7]], "reference": [[5, 6], [8]]}

SEED = 13


def read_corpus(name: str) -> pa.Table:
    """Read a corpus as a table with the columns for engines; skip the test if it is missing."""
    if name == "toy":
        return TABLE
    path = DATA / f"{name}.jsonl"
    if not path.exists():
        pytest.skip("the corpora are not at ../shared/data")
    samples = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    return pa.table(
        {
            "id": pa.array(range(len(samples))),
            "prediction": [sample["prediction"] for sample in samples],
            "reference": [sample["references"] for sample in samples],
        }
    )


def score_at_once(table: pa.Table, options: dict[str, Any]) -> dict[str, Any]:
    """Score the samples in one process."""
    scorer = Scorer(**options, seed=SEED)
    scorer.update(table["prediction"], table["reference"])
    return scorer.result()


def split(table: pa.Table, rows: int) -> Iterator[pa.Table]:
    """Split the table into parts of ``rows`` rows."""
    for start in range(0, len(table), rows):
        yield table.slice(start, rows)


def count(prediction: Any = ("a",), reference: Any = ("a",), **options: Any) -> pa.Table:
    """Return the table of counts of a few samples."""
    counts = count_batch({"prediction": prediction, "reference": reference}, **options)
    return counts if isinstance(counts, pa.Table) else pa.table(counts)


@pytest.fixture(scope="module", name="ray")
def start_ray() -> Iterator[ModuleType]:
    """Start Ray with two workers, which the command then uses."""
    found = require("ray")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        found.init(
            "local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=1 << 27,
            # Workers must be able to import the tests.
            runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
        )
        yield found
        found.shutdown()
