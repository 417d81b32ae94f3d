"""The terminal UI: it draws the values of `seat`, and passes keys back.

Everything but `full_screen` and `line_mode` is pure: their input is a moment, a size
and keys, their output styled lines.
"""
