"""Options: their checks, profiles and signature."""
