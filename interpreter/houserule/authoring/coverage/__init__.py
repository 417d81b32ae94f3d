"""Rulebook coverage: which clause implements a sentence, which example shows it."""
