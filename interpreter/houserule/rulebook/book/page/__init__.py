"""A book as HTML: its article, and the document that needs nothing beside it."""
