"""BLEU of sacrebleu 2.6 under its names, with this package's counts.

A program changes one line: ``from bleu_rouge_metric.integrations import sacrebleu``, or ``from
bleu_rouge_metric.integrations.sacrebleu.metrics import BLEU``. Names, the order of arguments,
numbers, signatures, log records and types of errors are the same.

The tokenizers that need a model or a dictionary call the installed sacrebleu. Not done here: chrF
and TER, the command, and downloads of test sets.
"""

from typing import Final, NoReturn

from . import compat, metrics
from .compat import corpus_bleu, raw_corpus_bleu, sentence_bleu
from .metrics import BLEU
from .metrics.base import SACREBLEU_VERSION

__all__ = [
    "BLEU",
    "__version__",
    "compat",
    "corpus_bleu",
    "metrics",
    "raw_corpus_bleu",
    "sentence_bleu",
]

__version__ = SACREBLEU_VERSION

_OTHER_METRICS: Final = (
    *("CHRF", "TER", "corpus_chrf", "corpus_ter", "sentence_chrf", "sentence_ter"),
    *("CHRFScore", "TERScore"),
)


def __getattr__(name: str) -> NoReturn:
    """Raise an error for a name that is not here."""
    if name in _OTHER_METRICS:
        # An ImportError keeps its text in "from … import"; an AttributeError would lose it.
        raise ImportError(
            f"{name!r} is not part of this package, which has BLEU only; import it from sacrebleu."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
