"""Count one prediction with its references at a time: lists of ints, with little to set up.

The numbers are those of ``kernels.py``. Both kernels count; a long text, and a tokenizer that only
Python has, go the way of batches.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..messages import describe_value
from ..samples.inputs import Samples
from ..text.sentences import NEWLINE, SentenceSplitter
from ..text.tokenizer import Tokenizer
from .kernels import KernelName, count_columns, current_kernel, make_pair_counter
from .rouge_types import CountPlan, parse_rouge_type, plan_bleu, plan_counts

Count = Callable[[str, list[str]], list[int] | None]


class PlanPairs:
    """Counts of a plan of single pairs, which has no weights."""

    def __init__(
        self, plan: CountPlan, tokenizer: Tokenizer, split_sentences: SentenceSplitter
    ) -> None:
        self._plan = plan
        self._tokenizer = tokenizer
        self._split_sentences = split_sentences
        self._compiled: dict[KernelName, Count | None] = {}

    def count(self, prediction: str, references: list[str]) -> list[int]:
        """Count hits, the prediction's total and the reference's, by reference and column.

        Of a clipped plan: the hits of each column, then the totals of the first column, that of the
        prediction and that of each reference.
        """
        kernel = current_kernel()
        if kernel not in self._compiled:
            self._compiled[kernel] = make_pair_counter(
                self._plan, self._tokenizer, self._split_sentences
            )
        compiled = self._compiled[kernel]
        numbers = compiled(prediction, references) if compiled else None
        if numbers is not None:
            return numbers
        sample = make_sample(prediction, references)
        counted = count_columns(sample, self._plan, self._tokenizer, self._split_sentences)
        if self._plan.clipped:
            return [*counted[0, :, 0].tolist(), int(counted[0, 0, 1]), *counted[:, 0, 2].tolist()]
        plain: list[int] = counted.ravel().tolist()
        return plain


class BleuPairs(PlanPairs):
    """Counts of BLEU of single pairs: matches, tokens of the prediction and of each reference."""

    def __init__(self, tokenizer: Tokenizer, max_order: int) -> None:
        super().__init__(plan_bleu(max_order), tokenizer, NEWLINE)


class RougePairs(PlanPairs):
    """Counts of ROUGE of single pairs, for types other than ROUGE-W.

    Attributes:
        columns: for each type, the places of its hits in the numbers of one reference; its counts
            are the sums of these places. Both totals follow each.
        width: how many numbers a reference has.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        tokenizer: Tokenizer,
        split_sentences: SentenceSplitter,
        *,
        lin2004: bool,
    ) -> None:
        if not rouge_types:
            expected = "expected at least one type, such as 'rouge1'."
            raise ValueError(describe_value("rouge_types", "empty", expected))
        types = [parse_rouge_type(name) for name in rouge_types]
        plan, columns = plan_counts(types, lin2004=lin2004)
        super().__init__(plan, tokenizer, split_sentences)
        self.columns = [tuple(3 * place for place in places) for places in columns]
        self.width = 3 * plan.columns


def make_sample(prediction: str, references: list[str]) -> Samples:
    """Make a batch of one sample of texts that are checked already."""
    return Samples([prediction], references, np.array([0, len(references)]))
