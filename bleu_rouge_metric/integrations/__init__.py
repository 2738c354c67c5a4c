"""Connect the scores to other libraries: evaluate, and the trainers of transformers."""
