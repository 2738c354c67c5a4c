"""Comparisons of systems in buckets."""
