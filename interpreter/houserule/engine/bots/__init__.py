"""Bots: they see what their seat sees, and choose an option.

A bot knows a program and a game at one of its own decisions; it never looks at what
its seat does not see, and draws only from its own stream.
"""
