"""From integers to BLEU, and to Google's GLEU."""
