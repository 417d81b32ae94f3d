"""Statements of the tree become statements of the core, and payments of actions."""
