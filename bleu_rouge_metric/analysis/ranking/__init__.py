"""Rankings of systems, from tests of all pairs."""
