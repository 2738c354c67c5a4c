"""Configuration of the manual; ``nox -s docs`` builds it.

Sphinx, MyST and the PyData theme: all three have releases of this year (Sphinx 9.2 in October,
MyST-Parser 5.2 and the theme 0.24 in November 2026), the theme carries the manuals of NumPy, SciPy
and pandas, and autodoc reads the docstrings as they are. MkDocs 1 has had no release since 2024,
Material for MkDocs is in maintenance, and Zensical, its successor, is at 0.1.
"""
# ruff: noqa: INP001 - Sphinx runs this file; it is no module of a package

import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path[:0] = [str(DOCS), str(DOCS.parent)]

from bleu_rouge_metric import __version__  # noqa: E402 - found by the line above

project = "bleu_rouge_metric"
author = "the authors of bleu_rouge_metric"
copyright = "the authors of bleu_rouge_metric"  # noqa: A001 - its name in Sphinx
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
nitpicky = True
# Types of other libraries in the docstrings of the public names.
nitpick_ignore_regex = [
    ("py:.*", "(collections|numpy|typing)\\..*"),
    # What a comparison keeps for ``influence``.
    ("py:class", r".*\.CountedSystems"),
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "none"
# The manual can be built without them.
autodoc_mock_imports = [name for name in ("torch", "torchmetrics") if find_spec(name) is None]
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "pydata_sphinx_theme"
html_title = f"bleu_rouge_metric {version}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_show_sourcelink = False
html_show_sphinx = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}

# A directive in a comment is for the built manual alone: GitHub shows neither.
COMMENTED_DIRECTIVE = re.compile(r"^<!-- (\{[\w-]+\}.*?)\n-->$", re.MULTILINE | re.DOTALL)
NAMES = re.compile(
    r"^<!-- table: names ?(\S*) -->$.*?^<!-- end of table -->$", re.MULTILINE | re.DOTALL
)
NAME = re.compile(r"^\| `(\w+)` \|.*?(?: Members: (.*)\.)? \|$", re.MULTILINE)


def describe_names(match: re.Match[str]) -> str:
    """Return a table of names with the directives of autodoc that show their docstrings."""
    lines = [f".. currentmodule:: {f'bleu_rouge_metric.{match[1]}'.rstrip('.')}"]
    for name, members in NAME.findall(match[0]):
        lines.append(f".. auto{'class' if name[0].isupper() else 'function'}:: {name}")
        if name[0].isupper():
            lines.append("   :special-members: __call__")
        if members:
            lines.append(f"   :members: {members.replace('`', '')}")
    return "\n".join([match[0], "", "```{eval-rst}", *lines, "```"])


def complete_page(_app: Any, _page: str, source: list[str]) -> None:
    """Replace each comment with the directive in it, and describe the names of tables."""
    page = COMMENTED_DIRECTIVE.sub(r"```\1\n```", source[0])
    source[0] = NAMES.sub(describe_names, page)


def setup(app: Any) -> None:
    """Register the function above."""
    app.connect("source-read", complete_page)
