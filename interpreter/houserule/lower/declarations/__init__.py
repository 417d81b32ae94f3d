"""Declarations of the composed rules become declarations of the core."""
