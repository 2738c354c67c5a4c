"""Find what texts have in common: tokens with their places, n-grams, skip-bigrams, and the LCS."""
