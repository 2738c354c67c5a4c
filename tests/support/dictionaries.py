"""What tests use in place of data that is installed or downloaded: dictionaries, and ``punkt``."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nltk
import pytest
from nltk.tokenize.punkt import PunktTrainer, save_punkt_params

from bleu_rouge_metric.text import sentences
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


# Written for the tests: names follow "Dr." often enough for it to be learnt.
TRAINING = (
    "Dr. Miller came late. The train was slow. Dr. Brown waited. It rained. "
    "Dr. Adams left early. He saw Dr. Miller. The shop closed at 5 p.m. sharp. We went home. "
) * 20


@contextmanager
def trained_punkt(data: Path) -> Iterator[None]:
    """Make NLTK's data folder with punkt_tab for two languages."""
    trainer = PunktTrainer()
    trainer.train(TRAINING)
    # NLTK writes only to its own data folders.
    with patch.object(nltk.data, "path", [str(data)]):
        folder = data / "tokenizers" / "punkt_tab"
        for language in ("english", "german"):
            (folder / language).mkdir(parents=True)
            save_punkt_params(trainer.get_params(), dir=str(folder / language))
        yield
    sentences._load_punkt.cache_clear()
    nltk.tokenize._get_punkt_tokenizer.cache_clear()
