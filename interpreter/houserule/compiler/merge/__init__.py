"""The merge laws: how the edits of one table meet, one module a law."""
