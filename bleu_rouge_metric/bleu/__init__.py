"""Compute BLEU, and Google's GLEU, from integer counts."""
