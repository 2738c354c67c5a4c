"""From the scores of samples to intervals, by resampling."""
