"""GLEU, which evaluate calls google_bleu."""
