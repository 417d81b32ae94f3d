"""Narration: the events of a game as sentences for people."""
