"""Choosing a table: the feature model, presets, and tables that stand for all."""
