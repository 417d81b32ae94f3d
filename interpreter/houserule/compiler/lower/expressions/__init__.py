"""Lower expressions of the tree to the core."""
