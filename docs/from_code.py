"""The directive ``from-code``: a part of a page that a function of ``reference_tables`` writes.

Its first argument names the function, a second one goes to it: ``{from-code} options bleu``.
"""
# ruff: noqa: INP001 - an extension of the manual alone

from typing import Any

import reference_tables
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class FromCode(SphinxDirective):
    """Puts in what a function returns; the first argument names it, the others go to it."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The nodes of the Markdown."""
        table, *arguments = self.arguments
        return self.parse_text_to_nodes(reference_tables.TABLES[table](*arguments))


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers the directive."""
    app.add_directive("from-code", FromCode)
    return {"version": "1", "parallel_read_safe": True}
