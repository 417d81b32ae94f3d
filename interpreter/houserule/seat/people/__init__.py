"""Who decides for whom at a game under way, and what is told of that."""
