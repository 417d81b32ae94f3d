"""Options of a table: what they may be, what they are, and what is wrong with them."""
