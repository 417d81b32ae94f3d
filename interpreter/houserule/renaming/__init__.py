"""Renaming: one declared name, at once, in all files of a ruleset's folder."""
