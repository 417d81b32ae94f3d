"""Symbols: every declared name, and what can be said at one place."""
