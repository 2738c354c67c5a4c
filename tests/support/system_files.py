"""Small files of two systems and their references, what the command says of them, and result files.

The results are those that lm-evaluation-harness, COMET and sacrebleu write of the same texts; keys,
types and layout are those of the programs (lm-eval 0.4.13, unbabel-comet 2.2.7, sacrebleu 2.6.0).
"""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .commands import invoke
from .sample_writers import write_lines

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "near", "old", "red", "mat", "house"]

# Eight samples, so that a test can go through all 2 ** 8 ways to swap.
REFERENCES = [" ".join(WORDS[(i * j + j) % 12] for j in range(2, 12)) for i in range(1, 9)]
# The first system misses words, the second fewer of them.
OLD = [" ".join(text.split()[: 6 + i % 3]) for i, text in enumerate(REFERENCES)]
NEW = [f"{text} {' '.join(WORDS[: i % 3])}".strip() for i, text in enumerate(REFERENCES)]
TOPICS = ["news", "web", "web", "news", "talk", "talk", "news", "web"]
SYSTEMS = {"old": OLD, "new": NEW}


def write_files() -> None:
    """Write old.txt, new.txt, references.txt, topics.txt, and systems.jsonl with all of them."""
    for name, lines in {**SYSTEMS, "references": REFERENCES, "topics": TOPICS}.items():
        write_lines(f"{name}.txt", lines)
    rows = [
        {"old": old, "new": new, "gold": gold, "topic": topic, "id": index // 2}
        for index, (old, new, gold, topic) in enumerate(
            zip(OLD, NEW, REFERENCES, TOPICS, strict=True)
        )
    ]
    Path("systems.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def write_table(
    folder: Path,
    name: str = "systems.csv",
    systems: dict[str, list[str]] = SYSTEMS,
    **labels: list[str],
) -> Path:
    """Write a table of systems, references and labels; return its path."""
    table = {**systems, "reference": REFERENCES, **labels}
    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([table, *zip(*table.values(), strict=True)])
    return path


FILES = ("old.txt", "new.txt", "--references", "references.txt")


def compare(*arguments: str, stdin: bytes | None = None) -> str:
    """Return what ``bleu-rouge compare`` prints."""
    result = invoke("compare", *arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def compare_json(*arguments: str, stdin: bytes | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(compare(*arguments, "--format", "json", stdin=stdin))
    return found


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
        {"src": f"source {i}", "mt": text, "ref": REFERENCES[i], "COMET": COMET[name][i]}
        for i, text in enumerate(SYSTEMS[name])
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
            "arguments": {"gen_args_0": {"arg_0": f"source {index}", "arg_1": {"k": 1}}},
            "target": REFERENCES[index],
            "resps": [[text]],
            "filtered_resps": [text],
            "filter": "none",
            "metrics": ["exact_match", "bleu"],
            **{f"{name}_hash": f"{name[0]}{index}" for name in ("doc", "prompt", "target")},
            "exact_match": MATCHES[name][index],
            "bleu": [REFERENCES[index], text],
        }
        for index, text in enumerate(SYSTEMS[name])
    ]


def write_json(path: str, value: object) -> None:
    """Write a JSON value as COMET and sacrebleu do, over many lines."""
    Path(path).write_text(json.dumps(value, ensure_ascii=False, indent=4), "utf-8")
