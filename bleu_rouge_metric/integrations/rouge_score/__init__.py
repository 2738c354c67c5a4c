"""The modules of ``rouge_score`` 0.1.2 under their names, with this package's counts.

A program changes one line: ``from bleu_rouge_metric.integrations.rouge_score import rouge_scorer,
scoring, tokenizers``. Names, the order of arguments, numbers and errors are the same.

Not done here: the line that ``RougeScorer`` logs, the command, and n-grams of order 0. The stemmer
of ``DefaultTokenizer`` cannot be replaced; pass a tokenizer instead.
"""

from . import io, rouge_scorer, scoring, tokenize, tokenizers

__all__ = ["io", "rouge_scorer", "scoring", "tokenize", "tokenizers"]
