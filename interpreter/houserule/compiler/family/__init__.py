"""Checks of all tables at once."""
