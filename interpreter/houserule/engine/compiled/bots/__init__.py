"""Bots: the greedy one, and the games that it imagines."""
