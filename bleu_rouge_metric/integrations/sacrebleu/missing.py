"""Errors for the names of sacrebleu that are not here."""

from typing import Final, NoReturn

_OTHER_METRICS: Final = (
    *("CHRF", "TER", "corpus_chrf", "corpus_ter", "sentence_chrf", "sentence_ter"),
    *("CHRFScore", "TERScore"),
)


def raise_missing(module: str, name: str) -> NoReturn:
    """Raise the error for a name that a module does not have."""
    if name in _OTHER_METRICS:
        # An ImportError keeps its text in "from … import"; an AttributeError would lose it.
        raise ImportError(
            f"{name!r} is not part of this package, which has BLEU only; import it from sacrebleu."
        )
    raise AttributeError(f"module {module!r} has no attribute {name!r}")
