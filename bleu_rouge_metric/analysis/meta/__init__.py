"""Measure how scores agree with ratings by people."""
