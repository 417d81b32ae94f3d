"""Citations: the sentences of source texts, and what clauses quote of them."""
