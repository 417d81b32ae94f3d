"""Rulebook coverage: the clauses and examples for each sentence."""
