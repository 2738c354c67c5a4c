"""Build the Hugging Face Space of the metric: a folder of exactly the files that it needs.

    python scripts/build_space.py DIR

The metric's script and the siblings that it names lie flat beside ``app.py``, because
``evaluate.load("user/bleu_rouge_metric")`` asks for them at the root of the Space. Which siblings
travel is asked of evaluate's own reader of imports, so that the imports of the script are the only
packing list.
"""

import argparse
import shutil
import sys
from pathlib import Path
from typing import Final

from evaluate.loading import get_imports

ROOT: Final = Path(__file__).resolve().parent.parent
SCRIPT: Final = ROOT / "bleu_rouge_metric" / "bleu_rouge_metric.py"
PAGE: Final = (
    ROOT / "app.py",
    *sorted((ROOT / "space").glob("*.py")),
    ROOT / "requirements.txt",
    ROOT / "README.md",
    ROOT / "docs" / "parity.md",
    ROOT / "docs" / "speed.svg",
)


def list_files() -> list[Path]:
    """Every file of the Space, where it lies in the repository."""
    imports = get_imports(str(SCRIPT))
    siblings = [SCRIPT.with_name(f"{name}.py") for kind, name, *_ in imports if kind == "internal"]
    return [SCRIPT, *siblings, *PAGE]


def check_card(readme: Path) -> None:
    """Raises ValueError unless the README starts with the card of a Gradio Space."""
    head, *lines = readme.read_text(encoding="utf-8").splitlines() or [""]
    if head != "---" or "---" not in lines:
        raise ValueError(
            f"{readme.name} has no card: expected YAML between two lines of '---' at its start."
        )
    card = lines[: lines.index("---")]
    for line in ("sdk: gradio", "app_file: app.py"):
        if line not in card:
            raise ValueError(f"{readme.name} has a card without {line!r}.")


def build_space(folder: Path) -> list[str]:
    """Copy the files of the Space into a new or empty folder.

    Args:
        folder: made where it does not exist.

    Returns:
        The names of the files, sorted.

    Raises:
        ValueError: the folder holds something, or the README has no card.
    """
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise ValueError(f"{folder} is not empty; give a new folder.")
    files = list_files()
    check_card(ROOT / "README.md")
    names = []
    for file in files:
        # The metric's files lie at the root of a Space; the page's keep their folder.
        name = file.name if file.parent == SCRIPT.parent else str(file.relative_to(ROOT))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / name)
        names.append(name)
    return sorted(names)


def main() -> None:
    """Build the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Build the Space of the metric in a new folder.")
    parser.add_argument("folder", metavar="DIR", type=Path, help="new or empty folder")
    folder = parser.parse_args().folder
    try:
        names = build_space(folder)
    except ValueError as error:
        sys.exit(f"build_space.py: {error}")
    print(f"{len(names)} files in {folder}: {', '.join(names)}")


if __name__ == "__main__":
    main()
