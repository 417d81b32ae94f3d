"""Options: what may be chosen, counted and numbered, and what is legal."""
