"""Read and score the inputs of the page (``app.py``); this package is part of the Space."""
