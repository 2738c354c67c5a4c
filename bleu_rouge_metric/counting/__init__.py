"""Count n-grams, LCS and skip-bigrams for BLEU and ROUGE, with one of two kernels."""
