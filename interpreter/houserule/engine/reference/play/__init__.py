"""Play: a game from its start through every decision to its end."""
