"""Scores between texts: matrices, near duplicates, diversity, agreement, consensus."""
