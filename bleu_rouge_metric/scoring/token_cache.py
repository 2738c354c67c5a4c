"""A cache of tokens, so that a reference that comes again is not tokenized again.

Completions of one prompt have the same reference. The compiled kernel tokenizes it in less than a
microsecond; a tokenizer in Python, such as one of sacrebleu's or the caller's, takes much longer.
"""

from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeVar

from ..options.plans import Plan
from ..text.sentences import SentenceSplitter
from ..text.tokenizer import Tokenizer

# Bound of a cache: with 256 texts of 8,192 characters, tokens of about four characters and their
# lists take 30 MB.
_MOST_TEXTS: Final = 256
_LONGEST_TEXT: Final = 8192

_Step = TypeVar("_Step", Tokenizer, SentenceSplitter)


def cache_tokens(plan: Plan, most_texts: int | None = _MOST_TEXTS) -> Plan:
    """Return a plan whose Python tokenizers and splitters keep the results of the last texts.

    Args:
        plan: what is counted.
        most_texts: how many texts each keeps the results of; None for all.
    """
    cache = partial(_cache_results, most_texts)
    return plan._replace(
        scores={
            name: score if score.uses_ids else score.map_steps(cache)
            for name, score in plan.scores.items()
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
