"""The libraries that call us: evaluate, and trainers of transformers."""
