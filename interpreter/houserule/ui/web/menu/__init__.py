"""Pages and answers before there is a table: games, house rules, effects."""
