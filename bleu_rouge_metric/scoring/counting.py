"""From checked samples to their counts, in portions, by the plan of the options."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..counting.byte_limit import count_rouge_of_bytes
from ..counting.kernels import BleuCounts, Integers, RougeCounts, count_bleu, count_rouge
from ..options.plans import BleuCountPlan, CountPlan, RougeCountPlan
from ..samples.inputs import Samples
from ..samples.token_ids import IDS, IdRules
from ..text.sentences import MOST_PYSBD_CHARACTERS, NEWLINE, SplitError
from ..text.warnings import warn_of_slow_splitting
from .sample_counts import SampleCounts, concatenate_counts, shrink

# Samples counted at a time: what the counting of a portion needs is given back after it.
_PORTION: Final = 4096


def count_samples(samples: Samples, plan: CountPlan) -> SampleCounts:
    """Return counts of all the samples, for the families of the plan."""
    return concatenate_counts(list(count_portions(samples, plan)))


def count_portions(
    samples: Samples, plan: CountPlan, portion_size: int = _PORTION
) -> Iterator[SampleCounts]:
    """Iterate over counts of one portion of the samples after the other, in order."""
    _check_kind(samples, plan)
    rouge = plan.rouge
    if rouge is not None and rouge.sentence_types and rouge.bare_split.is_quadratic:
        warn_of_slow_splitting(samples, MOST_PYSBD_CHARACTERS)
    for start in range(0, len(samples.predictions), portion_size):
        portion = samples.select(start, start + portion_size)
        if samples.are_ids:
            portion = _keep_ids(portion, plan.ids, start)
        yield _count_portion(portion, plan, start)


def _count_portion(samples: Samples, plan: CountPlan, start: int) -> SampleCounts:
    """Return counts of a portion whose first sample has the index ``start``."""
    bleu = overlap = rouge = None
    if plan.bleu is not None:
        prepared = _prepare_bleu(samples, plan.bleu)
        if plan.bleu.overlaps:
            overlap = _count_overlap(prepared, plan.bleu)
        else:
            bleu = _count_bleu(prepared, plan.bleu)
    if plan.rouge is not None:
        try:
            rouge = _count_rouge(samples, plan.rouge)
        except SplitError as error:
            raise ValueError(f"{_find_place(samples, error.text, start)}: {error}") from error
    return SampleCounts(bleu, overlap, rouge, np.diff(samples.offsets))


def _check_kind(samples: Samples, plan: CountPlan) -> None:
    """Raise TypeError if a tokenizer is for texts and the samples are token ids, or not."""
    for name, part in (("bleu_tokenizer", plan.bleu), ("rouge_tokenizer", plan.rouge)):
        if part is None or (part.choice == IDS) == samples.are_ids:
            continue
        if samples.are_ids:
            raise TypeError(
                f"predictions are sequences of token ids, but {name} is {part.choice!r}, which is "
                "for texts; use tokenizer='ids', or decode the ids."
            )
        raise TypeError(
            f"{name} is 'ids', but predictions are texts; leave it out, or give sequences of ints."
        )


def _find_place(samples: Samples, text: str, start: int) -> str:
    """Name the sample that has a text, or begins with it under a limit; the first is ``start``."""
    for index, (prediction, references) in enumerate(samples.by_sample(), start):
        if prediction.startswith(text):
            return f"predictions[{index}]"
        if any(reference.startswith(text) for reference in references):
            return f"references[{index}]"
    return "A text"


def _keep_ids(samples: Samples, rules: IdRules, start: int) -> Samples:
    """Return samples without the ids that stand for no token; the first has the index ``start``."""
    owners = np.repeat(range(len(samples.predictions)), np.diff(samples.offsets)).tolist()
    places = zip(samples.references, owners, strict=True)
    predictions: list[Any] = [
        rules.keep(ids, f"predictions[{index}]")
        for index, ids in enumerate(samples.predictions, start)
    ]
    references: list[Any] = [rules.keep(ids, f"references[{start + i}]") for ids, i in places]
    return samples._replace(predictions=predictions, references=references)


def _prepare_bleu(samples: Samples, plan: BleuCountPlan) -> Samples:
    """Return the samples as BLEU tokenizes them."""
    if plan.lowercase:
        samples = samples.map_texts(str.lower)
    if plan.strips_end:
        # Parity: sacrebleu, BLEU._preprocess_segment: lower case first, then no white space at the
        # end, so that 13a keeps the hyphen of "-\n" there.
        samples = samples.map_texts(str.rstrip)
    return samples


def _count_bleu(samples: Samples, plan: BleuCountPlan) -> BleuCounts:
    """Counts of BLEU in half the memory: a text has less than 2 ** 31 tokens."""
    counts = count_bleu(samples, plan.max_order, plan.tokenizer)
    return BleuCounts(*(array.astype(np.int32) for array in counts))


def _count_overlap(samples: Samples, plan: BleuCountPlan) -> Integers:
    """Overlap of each prediction with each of its references, for orders 1 to the longest."""
    types = [f"rouge{order}" for order in range(1, plan.max_order + 1)]
    return shrink(count_rouge(samples, types, plan.tokenizer, NEWLINE).integers)


def _count_rouge(samples: Samples, plan: RougeCountPlan) -> RougeCounts:
    """Counts of ROUGE, integers in half the memory if they fit."""
    if plan.byte_limit is not None:
        counts = count_rouge_of_bytes(
            samples, plan.types, plan.tokenizer, plan.bare_split, plan.byte_limit
        )
    else:
        counts = count_rouge(
            samples, plan.types, plan.tokenizer, plan.split_sentences, lin2004=plan.lin2004
        )
    return counts._replace(integers=shrink(counts.integers))
