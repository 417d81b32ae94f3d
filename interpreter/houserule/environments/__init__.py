"""Environments for research: what a seat sees as numbers, and games in step with them.

An observation is a row of small whole numbers, an action is a number. Nothing is in an
observation that the seat may not see.
"""
