"""ROUGE-L of captions, as pycocoevalcap computes it."""
