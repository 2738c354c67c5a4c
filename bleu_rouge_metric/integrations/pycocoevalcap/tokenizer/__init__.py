"""The package ``pycocoevalcap.tokenizer``."""
