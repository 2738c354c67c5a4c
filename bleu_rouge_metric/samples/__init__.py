"""What a caller hands over: samples, checked; Arrow columns; token ids."""
