"""The terminal UI: it draws the values of `seat`, and returns keys.

Everything except `full_screen` and `line_mode` is pure: a moment, a size and keys in,
styled lines out.
"""
