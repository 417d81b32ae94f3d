"""What may be done: counted, sought by number, the first of it listed."""
