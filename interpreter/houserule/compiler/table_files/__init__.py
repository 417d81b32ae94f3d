"""Tables that people keep in a file: read, changed in their place, described."""
