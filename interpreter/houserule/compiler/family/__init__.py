"""The proof of all tables at once."""
