"""From integers to ROUGE, over one or several references."""
