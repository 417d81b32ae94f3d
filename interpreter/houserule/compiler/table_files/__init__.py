"""Table files: read, edited in place, described."""
