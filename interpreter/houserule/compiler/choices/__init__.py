"""Choosing a table: the feature model, presets, and samples of tables."""
