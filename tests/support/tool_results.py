"""Result files as lm-evaluation-harness, COMET and sacrebleu write them, of the small systems.

The texts are those of ``system_files.py``; keys, types and layout are those that the programs write
(lm-eval 0.4.13, unbabel-comet 2.2.7, sacrebleu 2.6.0).
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .system_files import REFERENCES, SYSTEMS, TOPICS

COMET: Mapping[str, Sequence[float]] = {
    "old": [0.5, 0.625, 0.75, 0.5, 0.25, 0.5, 0.375, 0.625],
    "new": [0.75, 0.75, 0.875, 0.5, 0.5, 0.75, 0.25, 0.875],
}
MATCHES: Mapping[str, Sequence[float]] = {
    name: [float(text == reference) for text, reference in zip(texts, REFERENCES, strict=True)]
    for name, texts in SYSTEMS.items()
}


def list_comet(name: str) -> list[dict[str, Any]]:
    """Return the samples of one system in the output of comet-score."""
    return [
        {
            "src": f"source {index}",
            "mt": text,
            "ref": REFERENCES[index],
            "COMET": COMET[name][index],
        }
        for index, text in enumerate(SYSTEMS[name])
    ]


def comet_compare() -> dict[str, Any]:
    """Return the output of comet-compare."""
    return {
        "model": "Unbabel/wmt22-comet-da",
        "statistical_results": [{"x_name": "old.txt", "y_name": "new.txt"}],
        "source": [f"source {index}" for index in range(len(REFERENCES))],
        "translations": [
            {"name": f"{name}.txt", "mt": texts, "scores": COMET[name]}
            for name, texts in SYSTEMS.items()
        ],
        "reference": REFERENCES,
    }


def harness_rows(name: str) -> list[dict[str, Any]]:
    """Return the samples of one system as lm-evaluation-harness logs them."""
    return [
        {
            "doc_id": index,
            "doc": {"question": f"source {index}", "topic": TOPICS[index]},
            "target": REFERENCES[index],
            "arguments": {"gen_args_0": {"arg_0": f"source {index}", "arg_1": {"k": 1}}},
            "resps": [[text]],
            "filtered_resps": [text],
            "filter": "none",
            "metrics": ["exact_match", "bleu"],
            "doc_hash": f"d{index}",
            "prompt_hash": f"p{index}",
            "target_hash": f"t{index}",
            "exact_match": MATCHES[name][index],
            "bleu": [REFERENCES[index], text],
        }
        for index, text in enumerate(SYSTEMS[name])
    ]


def write_json(path: str, value: object) -> None:
    """Write a JSON value as COMET and sacrebleu do, over many lines."""
    Path(path).write_text(json.dumps(value, ensure_ascii=False, indent=4), "utf-8")
