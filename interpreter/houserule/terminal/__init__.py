"""The face in a terminal: it draws the values of `seat`, and hands keys back.

Everything but `full_screen` and `line_mode` is pure: a moment, a size and what was
pressed go in, lines with styles come out.
"""
