"""Conditions on variants, as formulas and as decision diagrams."""
