"""Statistics: what is counted of games, and how sure the counts are."""
