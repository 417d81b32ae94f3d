"""Symbols: every declared name with its signature, and scopes, which resolve names."""
