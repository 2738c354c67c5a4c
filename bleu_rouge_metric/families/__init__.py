"""Families of scores. The order is that of results."""

from .base import REGISTRY as REGISTRY
from .bleu.family import BLEU as BLEU
from .gleu.family import GLEU as GLEU
from .rouge.family import ROUGE as ROUGE
