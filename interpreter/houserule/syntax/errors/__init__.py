"""Syntax errors: found piece by piece, repaired, told in the author's words."""
