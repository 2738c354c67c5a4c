"""Plan a comparison of systems: how many samples it needs."""
