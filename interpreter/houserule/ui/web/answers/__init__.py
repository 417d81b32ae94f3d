"""Request handlers for tables, by address."""
