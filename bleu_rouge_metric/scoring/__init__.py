"""From samples to scores: the ``Scorer``, and the functions built on it."""
