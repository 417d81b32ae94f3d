"""Phases and steps, written out; the end of a game."""
