"""Experiments: many runs with one command, and a start for one's own environment."""
