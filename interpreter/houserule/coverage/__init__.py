"""Which sentence of a book is which clause, and which example shows it."""
