"""Split texts into tokens and sentences."""
