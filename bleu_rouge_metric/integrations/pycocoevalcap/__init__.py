"""The BLEU, ROUGE and tokenizer classes of ``pycocoevalcap`` 1.2 under their names.

A program changes the first part of its import lines: ``from
bleu_rouge_metric.integrations.pycocoevalcap.bleu.bleu import Bleu``. Names, the order of arguments,
numbers and what is printed are the same; no Java is needed.

Not done here: METEOR, CIDEr and SPICE, captions that are ``bytes``, and ``PTBTokenizer``'s
dependence on the captions before and after one: here each caption is tokenized alone.
"""

from ..originals import add_drop_in
from .bleu.bleu import Bleu
from .rouge.rouge import Rouge
from .tokenizer.ptbtokenizer import PTBTokenizer

__all__ = ["Bleu", "PTBTokenizer", "Rouge"]

__getattr__ = add_drop_in(__name__, "bleu.bleu, rouge.rouge and tokenizer.ptbtokenizer")
