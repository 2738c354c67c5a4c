"""Explain the ROUGE-L of one caption: the scores of each reference, and why it is 0."""

import numpy as np

from ...matching.texts import describe_missing
from ..rouge.explanation import RougeExplanation, RougePair
from ..rouge.formulas import Numbers
from .formula import measure, score_numbers, score_pairs

# How several references make one score, where other profiles have ``multi_reference``.
_LARGEST = "largest P, largest R"


def explain_score(counts: Numbers) -> RougeExplanation:
    """Explain the score of one sample.

    Args:
        counts: shape (references, 3): length of the LCS, tokens of the prediction and of the
            reference.
    """
    precisions, recalls = score_pairs(counts)
    precision, recall, fmeasure = score_numbers([*map(int, counts.ravel())])
    # The first reference that has both, if there is one.
    has_both = np.flatnonzero((precisions == precision) & (recalls == recall))
    columns = precisions, recalls, measure(precisions, recalls)
    rows = zip(counts.tolist(), *(column.tolist() for column in columns), strict=True)
    return RougeExplanation(
        precision=precision,
        recall=recall,
        fmeasure=fmeasure,
        multi_reference=_LARGEST,
        reference=int(has_both[0]) if len(has_both) else None,
        references=tuple(RougePair(*row, *parts) for row, *parts in rows),
    )


def list_notes(name: str, explained: RougeExplanation) -> list[str]:
    """List why the score is 0."""
    if explained.fmeasure:
        return []
    total = int(explained.references[0].prediction_total)
    return [f"{name} is 0: {describe_missing(1, total)}."]
