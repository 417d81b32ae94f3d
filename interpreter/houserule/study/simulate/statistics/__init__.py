"""Statistics: results of games, and how certain they are."""
