"""A cache of tokens, so that a reference that comes again is not tokenized again.

Completions of one prompt have the same reference. The compiled kernel tokenizes it in less than a
microsecond; a tokenizer in Python, such as one of sacrebleu's or the caller's, takes much longer.
"""

from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeVar

from ..options.plans import CountPlan
from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer

# Bound of a cache: with 256 texts of 8,192 characters, tokens of about four characters and their
# lists take 30 MB.
_MOST_TEXTS: Final = 256
_LONGEST_TEXT: Final = 8192

_Step = TypeVar("_Step", Tokenizer, SentenceSplitter)


def cache_tokens(plan: CountPlan, most_texts: int | None = _MOST_TEXTS) -> CountPlan:
    """Return a plan whose Python tokenizers and splitters keep the results of the last texts.

    Args:
        plan: what is counted.
        most_texts: how many texts each keeps the results of; None for all.
    """
    return plan._replace(
        parts={
            name: part
            if name in plan.of_ids
            else part.map_steps(partial(_cache_results, most_texts))
            for name, part in plan.parts.items()
        }
    )


def _cache_results(most_texts: int | None, step: _Step) -> _Step:
    """Return a step that keeps the results of the last texts; callers must not change them."""
    function = step.function
    cached = lru_cache(maxsize=most_texts)(function)
    return replace(
        step,
        function=lambda text: cached(text) if len(text) <= _LONGEST_TEXT else function(text),
    )
