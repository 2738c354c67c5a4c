"""Scores of parts of a test set: of samples of a kind, of words of a frequency, of n-grams."""
