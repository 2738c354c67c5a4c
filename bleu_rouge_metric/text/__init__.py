"""From texts to tokens and sentences."""
