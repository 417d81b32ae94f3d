"""Types: those written resolved, how they relate, the ranges of numbers."""
