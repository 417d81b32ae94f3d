"""Renaming: change one declared name in all files of a ruleset's folder."""
