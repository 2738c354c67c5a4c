"""ROUGE-N, L, Lsum, W, S and SU."""
