"""Rows of files, for the command and the page alike."""
