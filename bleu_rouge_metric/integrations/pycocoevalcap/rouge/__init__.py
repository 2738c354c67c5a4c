"""The package ``pycocoevalcap.rouge``."""
