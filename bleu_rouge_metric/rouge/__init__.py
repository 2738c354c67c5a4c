"""Compute ROUGE from integer counts, over one or several references."""
