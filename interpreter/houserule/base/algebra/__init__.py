"""Small algebra: graphs, equality, subsets, arithmetic."""
