"""Small files of two systems and their references, and what the command says of them."""

import csv
import json
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
