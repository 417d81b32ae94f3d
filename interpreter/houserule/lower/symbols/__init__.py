"""Symbols: every declared name with its signature, and scopes, where names are said."""
