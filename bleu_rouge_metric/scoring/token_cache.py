"""A cache of tokens, so that a reference that comes again is not tokenized again.

Completions of one prompt have the same reference. The compiled kernel tokenizes it in less than a
microsecond; a tokenizer in Python, such as one of sacrebleu's or the caller's, takes much longer.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Final

from ..options.plans import BleuCountPlan, CountPlan, RougeCountPlan
from ..samples.token_ids import IDS

# Bound of a cache: with 256 texts of 8,192 characters, tokens of about four characters and their
# lists take 30 MB.
_MOST_TEXTS: Final = 256
_LONGEST_TEXT: Final = 8192

Function = Callable[[str], list[str]]


def cache_tokens(plan: CountPlan) -> CountPlan:
    """Return a plan whose Python tokenizers and splitters keep the results of the last texts."""
    return plan._replace(bleu=_cache_bleu(plan.bleu), rouge=_cache_rouge(plan.rouge))


def _cache_bleu(plan: BleuCountPlan | None) -> BleuCountPlan | None:
    if plan is None or plan.choice == IDS:
        return plan
    function = cache_results(plan.tokenizer.function)
    return plan._replace(tokenizer=replace(plan.tokenizer, function=function))


def _cache_rouge(plan: RougeCountPlan | None) -> RougeCountPlan | None:
    if plan is None or plan.choice == IDS:
        return plan
    function = cache_results(plan.tokenizer.function)
    return plan._replace(
        tokenizer=replace(plan.tokenizer, function=function),
        split_sentences=replace(
            plan.split_sentences, function=cache_results(plan.split_sentences.function)
        ),
        bare_split=replace(plan.bare_split, function=cache_results(plan.bare_split.function)),
    )


def cache_results(function: Function) -> Function:
    """Make a function that keeps the results of the last texts; callers must not change them."""
    cached = lru_cache(maxsize=_MOST_TEXTS)(function)
    return lambda text: cached(text) if len(text) <= _LONGEST_TEXT else function(text)
