"""Check that a version can be released, and print its part of the changelog.

    python scripts/check_release.py v0.1.0

The tag, the package, ``CITATION.cff``, the file that evaluate.load runs and the changelog have to
name the same version; the changelog gives it a date; no address holds the placeholder OWNER.
"""

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
# A file, and how it names the version.
VERSIONS: Final = {
    "bleu_rouge_metric/version.py": r'__version__ = "(.+)"',
    "bleu_rouge_metric/bleu_rouge_metric.py": r'_VERSION: Final = "(.+)"',
    "CITATION.cff": r"version: (.+)",
}


def find_versions(root: Path) -> dict[str, str]:
    """Return the version that each file names; empty if it names none."""
    found = {}
    for name, pattern in VERSIONS.items():
        match = re.search(rf"^{pattern}$", (root / name).read_text("utf-8"), re.MULTILINE)
        found[name] = match[1] if match else ""
    return found


def find_notes(changelog: str, version: str) -> tuple[str, str]:
    r"""Return the date of a version in the changelog and its notes; both may be empty.

    >>> find_notes("# Changelog\n\n## 0.2.0 (2026-03-01)\n\n- New.\n\n## 0.1.0\n", "0.2.0")
    ('2026-03-01', '- New.')
    """
    for section in changelog.split("\n## ")[1:]:
        heading, _, notes = section.partition("\n")
        name, _, date = heading.partition(" ")
        if name == version:
            return date.strip("()"), notes.strip()
    return "", ""


def list_faults(root: Path, tag: str) -> list[str]:
    """Return what prevents a release under the tag, one sentence each."""
    version = tag.removeprefix("v")
    faults = [
        f"{name} names {found or 'no version'}; expected {version}."
        for name, found in find_versions(root).items()
        if found != version
    ]
    date, notes = find_notes((root / "CHANGELOG.md").read_text("utf-8"), version)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        faults.append(f"CHANGELOG.md has no heading '## {version} (YYYY-MM-DD)'.")
    else:
        if not notes:
            faults.append(f"CHANGELOG.md says nothing of {version}.")
        citation = (root / "CITATION.cff").read_text("utf-8")
        if f"\ndate-released: {date}\n" not in citation:
            faults.append(f"CITATION.cff has no line 'date-released: {date}'.")
    if re.search(r"\bOWNER[./]", (root / "pyproject.toml").read_text("utf-8")):
        faults.append(
            "pyproject.toml has addresses with OWNER; put the account that publishes in its place."
        )
    return faults


def main() -> None:
    """Print the notes of the version that the command line names, or why it cannot be released."""
    if len(sys.argv) != 2 or not re.fullmatch(r"v\d+\.\d+\.\d+", sys.argv[1]):
        raise SystemExit("usage: python scripts/check_release.py vMAJOR.MINOR.PATCH")
    faults = list_faults(ROOT, sys.argv[1])
    if faults:
        raise SystemExit("\n".join(faults))
    _, notes = find_notes((ROOT / "CHANGELOG.md").read_text("utf-8"), sys.argv[1][1:])
    print(notes)


if __name__ == "__main__":
    main()
