"""Families of scores: what they count, how they score, and their options.

A family is a folder; the rest of the package knows only ``base.py``.
"""
