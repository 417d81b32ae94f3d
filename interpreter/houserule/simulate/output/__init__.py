"""Output for other programs: rows of games, pictures."""
