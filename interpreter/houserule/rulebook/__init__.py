"""Rulebooks: meanings of names, diagrams, and the book."""
