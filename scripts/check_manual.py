"""Check the built manual: every link leads somewhere, and nothing is loaded from elsewhere.

    python scripts/check_manual.py build/docs

A page may link to other sites; a reader without a network loses nothing else.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself, by tag: the attribute that says from where.
LOADED: Final = {
    **dict.fromkeys(("script", "img", "iframe", "audio", "video", "source", "embed"), "src"),
    "link": "href",
    "object": "data",
}
# Of the links in a page's head those that are only read by programs.
NOT_LOADED: Final = frozenset({"canonical", "author", "license", "next", "prev", "search", "index"})
IN_STYLES: Final = re.compile(r"""(?:url\(|@import)\s*["']?([^"')\s;]+)""")


class Page(HTMLParser):
    """The names that a page has, the links in it, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read one tag."""
        values = {name: value or "" for name, value in attrs}
        self.names.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        kinds = set(values.get("rel", "").split())
        if tag in LOADED and LOADED[tag] in values and not kinds & NOT_LOADED:
            self.loaded.append(values[LOADED[tag]])
        self.loaded.extend(IN_STYLES.findall(values.get("style", "")))


def is_elsewhere(link: str) -> bool:
    """Return whether a link leads out of the manual."""
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc) and parts.scheme != "data"


def check_folder(folder: Path) -> Iterator[str]:
    """Return what is wrong in the folder of the built pages, one line each."""
    # Below _static the theme has a template beside its scripts.
    paths = [path for path in sorted(folder.rglob("*.html")) if path.parent.name != "_static"]
    pages = {path: Page(path) for path in paths}
    if not pages:
        yield f"{folder} has no pages; build the manual first: nox -s docs."
    for path in pages:
        name = path.relative_to(folder)
        yield from (f"{name} {problem}" for problem in check_page(path, pages))
    for path in sorted(folder.rglob("*.css")):
        for link in filter(is_elsewhere, IN_STYLES.findall(path.read_text("utf-8"))):
            yield f"{path.relative_to(folder)} loads {link}; put it into docs/."


def check_page(path: Path, pages: Mapping[Path, Page]) -> Iterator[str]:
    """Return what is wrong with one page."""
    for link in pages[path].loaded:
        if is_elsewhere(link):
            yield f"loads {link}; put it into docs/."
        elif not link.startswith("data:") and not resolve(path, link).exists():
            yield f"loads {link}, which is not there."
    for link in pages[path].links:
        if is_elsewhere(link):
            continue
        target, fragment = resolve(path, link), unquote(urlsplit(link).fragment)
        if not target.exists():
            yield f"links to {link}, which is not there."
        elif fragment and target in pages and fragment not in pages[target].names:
            yield f"links to {link}, but that page has no {fragment!r}."


def resolve(page: Path, link: str) -> Path:
    """Return the file that a link leads to."""
    parts = urlsplit(link)
    return (page.parent / unquote(parts.path)).resolve() if parts.path else page


def main() -> None:
    """Check the folder that the command line names."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python scripts/check_manual.py FOLDER")
    folder = Path(sys.argv[1]).resolve()
    if problems := [*check_folder(folder)]:
        raise SystemExit("\n".join(problems))
    print(f"{folder.name}: every link leads somewhere, and nothing is loaded from elsewhere")


if __name__ == "__main__":
    main()
