"""Positions to start from: the words of `given`, as in scenarios."""
