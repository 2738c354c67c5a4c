"""From tokens to integers: the counts of BLEU and ROUGE, by one of two kernels."""
