"""Procedures: statements of the core as flat lists of instructions."""
