"""Pages before a table exists: games, house rules, effects."""
