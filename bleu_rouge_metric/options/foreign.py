"""Names that other libraries have for options and arguments, and what to write here.

Nobody can give an option under such a name: the error names ours. The names of an option are in
its row; here are those of the two arguments, and of options that nothing here corresponds to.
Source: sacrebleu 2.6, NLTK 3.10, rouge_score 0.1.2, evaluate 0.4.6, torchmetrics 1.9,
PyTorch-Ignite, torchtext, transformers, py-rouge 1.1, rouge-metric 1.0.1, and the package rouge.
"""

from collections.abc import Iterator
from typing import Final

from .table import OPTIONS

_ARGUMENTS: Final = {
    "predictions": (
        *("hypotheses", "hypothesis", "hyps", "hyp", "candidates", "candidate"),
        *("candidate_corpus", "preds", "pred", "pred_lns", "sys", "summaries", "summary"),
    ),
    "references": (
        *("list_of_references", "refs", "ref", "targets", "target", "tgt_lns", "labels"),
        *("references_corpus", "multi_references"),
    ),
}

_NOT_NEEDED: Final = {
    "force": "leave it out: there is nothing to force",
    "num_refs": "leave it out: how many references a sample has is seen from them",
    "ignore_empty": "drop such samples, or leave it out: an empty text scores 0",
}


def list_foreign() -> Iterator[tuple[str, str]]:
    """Each foreign name, with what to do instead."""
    for argument, names in _ARGUMENTS.items():
        for name in names:
            yield name, f"it is called {argument!r} here"
    for option in OPTIONS.values():
        for foreign in option.foreign:
            remedy = f"use {foreign.use}" if foreign.use else f"it is called {option.name!r} here"
            for name in foreign.names:
                yield name, remedy
    yield from _NOT_NEEDED.items()


def find_remedy(name: str) -> str | None:
    """What to do in place of giving a foreign name; None if it is none.

    >>> find_remedy("smooth_method"), find_remedy("no_such_name")
    ("it is called 'smooth' here", None)
    """
    return dict(list_foreign()).get(name)
