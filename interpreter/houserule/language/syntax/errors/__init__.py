"""Syntax errors: the words of their messages, and repair, so that reading can go on."""
