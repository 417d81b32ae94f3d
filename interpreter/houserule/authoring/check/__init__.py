"""Checking: everything that can be wrong with a game, its files and its examples.

In: the folder of a ruleset, or one file. Out: diagnostics, with the texts they point
into. `check` says what is looked at; `results` keeps on disk what came of it.
"""
