"""ROUGE-L of captions, as ``pycocoevalcap.rouge.rouge`` gives it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ....counting.kernels import count_rouge
from ....counting.pairs import RougePairs
from ....counting.rouge_types import ROUGE_L
from ....families.coco_rouge import BETA, score_numbers, score_samples
from ....families.score import Floats
from ....samples.inputs import check_pair
from ....text.sentences import NEWLINE
from ....text.tokenizer import TOKENIZERS
from ..bleu.bleu import read_captions

_TYPES: Final = (ROUGE_L,)
_PAIRS: Final = RougePairs(_TYPES, TOKENIZERS["space"], NEWLINE, lin2004=False)


class Rouge:
    """ROUGE-L; ``beta`` is the weight of the recall.

    >>> Rouge().calc_score(["a b c d"], ["a b c", "a b x y z q"])
    0.8798076923076923
    """

    beta = BETA

    def calc_score(self, candidate: Sequence[str], refs: Sequence[str]) -> float:
        """Compute the score of a caption, alone in a list, with one or more references."""
        if len(candidate) != 1:
            raise ValueError(f"candidate is {candidate!r}; expected a list of one caption.")
        references = list(refs)
        check_pair(candidate[0], references)
        return score_numbers(_PAIRS.count(candidate[0], references), self.beta)[2]

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
            TypeError: a caption is not a str.
            ValueError: ids differ, or captions are not in such lists.
        """
        samples, scores = read_captions(gts, res), np.array([])
        if samples is not None:
            counts = count_rouge(samples, _TYPES, TOKENIZERS["space"], NEWLINE).of(ROUGE_L)
            scores = score_samples(counts, samples.offsets, self.beta).fmeasure
        # Parity: np.mean adds pairwise, and warns of no captions, whose mean is NaN.
        return np.mean(scores), scores

    def method(self) -> str:
        """Return the name of the score."""
        return "Rouge"
