"""The dictionary of Japanese that tests use, whatever is installed besides."""

import sys
from typing import Any

import pytest

from bleu_rouge_metric.text.external import load_fugashi

from ..conftest import require


class Hidden:
    """A finder that finds no package of some names: Cython imports those that are None."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def find_spec(self, name: str, *_: object) -> None:
        """Raise ImportError for a hidden package; leave others to the next finder."""
        if name in self.names:
            raise ModuleNotFoundError(name=name)


def hide(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let the import of packages fail, and nothing be loaded with them."""
    load_fugashi.cache_clear()
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Hidden(names), *sys.meta_path])


def load_tagger(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the tagger of fugashi with unidic-lite, which it uses if there is no UniDic."""
    fugashi: Any = require("fugashi")
    require("unidic_lite")
    hide(monkeypatch, "unidic")
    return fugashi.Tagger("-Owakati")
