"""Options: legal choices, counted and numbered."""
