"""Shared foundations: texts, messages, files, limits, the cache."""
