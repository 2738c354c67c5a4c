"""The BLEU, ROUGE and tokenizer classes of ``pycocoevalcap`` 1.2 under their names.

A program changes its import lines to ``from bleu_rouge_metric.integrations.pycocoevalcap import
Bleu, PTBTokenizer, Rouge``. Names, the order of arguments, numbers, what is printed and the types
of errors are the same; no Java is needed.

Not done here: METEOR, CIDEr and SPICE, captions that are ``bytes``, and ``PTBTokenizer``'s
dependence on the captions before and after one: here each caption is tokenized alone.
"""

from .bleu import Bleu
from .ptbtokenizer import PTBTokenizer
from .rouge import Rouge

__all__ = ["Bleu", "PTBTokenizer", "Rouge"]
