"""What the page of ``app.py`` does: reading files and scoring. It travels with the Space."""
