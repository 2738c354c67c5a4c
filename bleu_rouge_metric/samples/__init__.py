"""Check what a caller passes in: texts, Arrow columns, token ids."""
