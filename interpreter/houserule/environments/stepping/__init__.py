"""Stepping: many games under way in one module, all taken a decision on by one call."""
