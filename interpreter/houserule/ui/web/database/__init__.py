"""The database: its connection, and its schema."""
