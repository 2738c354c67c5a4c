"""BLEU of captions, as pycocoevalcap computes it: Bleu_1 to Bleu_4."""
