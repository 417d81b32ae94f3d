"""Expressions of the tree become expressions of the core."""
