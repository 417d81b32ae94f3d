"""Syntax errors: their messages, and error recovery."""
