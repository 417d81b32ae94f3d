"""Evaluation: every expression of the core is compiled once, to a function."""
