"""BLEU of evaluate, sacrebleu and NLTK."""
