"""The package ``pycocoevalcap.bleu``."""
