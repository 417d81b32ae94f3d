"""Choosing tables: by hand, by a preset, or as a sample of all."""
