"""ROUGE-L of captions, as ``pycocoevalcap.rouge.rouge`` gives it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...counting.kernels import count_rouge
from ...counting.pairs import RougePairs
from ...counting.rouge_types import ROUGE_L
from ...families.coco_rouge import BETA, score_numbers, score_samples
from ...families.score import Floats
from ...text.sentences import NEWLINE
from ...text.tokenizers import TOKENIZERS
from .captions import check_caption, check_keys, make_samples, refuse

_TYPES: Final = (ROUGE_L,)
_PAIRS: Final = RougePairs(_TYPES, TOKENIZERS["space"], NEWLINE, lin2004=False)


class Rouge:
    """ROUGE-L.

    Attributes:
        beta: the weight of the recall.

    >>> Rouge().calc_score(["a b c d"], ["a b c", "a b x y z q"])
    0.8798076923076923
    """

    def __init__(self) -> None:
        """Set the weight of the recall to 1.2."""
        self.beta = BETA

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Compute the score of one caption.

        Args:
            candidate: the prediction, alone in a list.
            refs: one or more references.

        Raises:
            AssertionError: there is not one prediction, or no reference.
            AttributeError: a caption is not a str.
            TypeError: a caption is bytes.
        """
        prediction, references = _check_caption(candidate, refs)
        return score_numbers(_PAIRS.count(prediction, references), self.beta)[2]

    def compute_score(
        self, gts: Mapping[Any, Sequence[str]], res: Mapping[Any, Sequence[str]]
    ) -> tuple[np.float64, Floats]:
        """Compute the mean score of all captions, and the score of each.

        Args:
            gts: references by id, a list of one or more.
            res: predictions by the same ids, each a list of one.

        Returns:
            The mean, in [0, 1]; and float64, shape (samples,), in the order of ``gts``.

        Raises:
            AssertionError: ids differ, or captions are not in such lists.
            AttributeError: a caption is not a str.
            TypeError: a caption is bytes.
        """
        check_keys(gts, res)
        # Parity: compute_score calls calc_score, which a subclass may have overridden.
        is_plain = getattr(self.calc_score, "__func__", None) is Rouge.calc_score
        predictions: list[str] = []
        references: list[list[str]] = []
        scores: list[float] = []
        for key, own in gts.items():
            found = res[key]
            if is_plain:
                prediction, others = _check_caption(found, own)
                predictions.append(prediction)
                references.append(others)
            else:
                scores.append(self.calc_score(found, own))
            if type(found) is not list:
                refuse(f"res[{key!r}] is {found!r}; expected a list of one caption")
            if type(own) is not list:
                refuse(f"gts[{key!r}] is {own!r}; expected a list of one or more captions")
        if not predictions:
            values = np.array(scores)
        else:
            # Fast path: equals calc_score of each caption, in less than half the time for 1,000
            # captions with five references each: all are counted in one call.
            samples = make_samples(predictions, references)
            counts = count_rouge(samples, _TYPES, TOKENIZERS["space"], NEWLINE).of(ROUGE_L)
            values = score_samples(counts, samples.offsets, self.beta).fmeasure
        # Parity: np.mean adds pairwise, and warns of no captions, whose mean is NaN.
        return np.mean(values), values

    def method(self) -> str:
        """Return the name of the score."""
        return "Rouge"


def _check_caption(candidate: Any, refs: Any) -> tuple[str, list[str]]:
    """Return the prediction and its references."""
    if len(candidate) != 1:
        refuse(f"candidate is {candidate!r}; expected a list of one caption")
    if not len(refs):
        refuse("refs is empty; expected one or more captions")
    prediction, references = candidate[0], list(refs)
    check_caption("candidate[0]", prediction)
    for place, caption in enumerate(references):
        check_caption(f"refs[{place}]", caption)
    return prediction, references
