"""Smoothed BLEU of code and its summaries, as CodeXGLUE and CodeT5 compute it."""
