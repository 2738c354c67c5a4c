"""Compare scores, and explain their differences."""
