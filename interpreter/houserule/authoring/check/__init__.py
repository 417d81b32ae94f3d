"""Checking a game, its files and its examples for errors.

The input is a ruleset's folder or one file; the output is diagnostics and their source
texts. `check` decides what to check; `results` caches the results on disk.
"""
