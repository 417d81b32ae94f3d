"""A book as HTML: its article, and a self-contained document."""
