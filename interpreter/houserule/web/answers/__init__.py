"""What the server answers where there is a table, by address."""
