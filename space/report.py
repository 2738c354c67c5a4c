"""Write results as one HTML file that needs neither the page nor scripts."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final

_STYLE: Final = Path(__file__).resolve().parent / "page.css"
_BUTTON: Final = re.compile("<button.*?</button>", re.DOTALL)


def write_report(title: str, parts: Iterable[str]) -> str:
    """Return a whole HTML file.

    Args:
        title: the heading of the file.
        parts: results as HTML; in the file they have no buttons.
    """
    shown = _BUTTON.sub("", "".join(parts))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE.read_text('utf-8')}</style></head>"
        f'<body class="gradio-container report"><h1>{escape(title)}</h1>{shown}</body></html>'
    )
