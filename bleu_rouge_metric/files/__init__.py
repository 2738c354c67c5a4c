"""Read samples from files, for the command and the page."""
