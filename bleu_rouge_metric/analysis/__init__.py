"""What scores mean beside each other."""
