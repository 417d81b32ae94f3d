"""Options of a table: their possible and actual values, and errors."""
