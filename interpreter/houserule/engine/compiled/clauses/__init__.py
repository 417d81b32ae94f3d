"""Clauses: procedures that can stop at a decision and go on; reactions."""
