"""NLTK's data for ``punkt``, trained here, as the real data cannot be downloaded in a test."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import nltk
from nltk.tokenize.punkt import PunktTrainer, save_punkt_params

from bleu_rouge_metric.text import sentences

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
