"""Compute averages and confidence intervals from the scores of samples, by resampling."""
