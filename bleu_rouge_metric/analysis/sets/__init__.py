"""Comparisons of systems on several test sets."""
