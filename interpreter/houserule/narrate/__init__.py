"""Narration: the events of a game as sentences that a person can follow."""
