"""The formal wording of clauses: the core as sentences of a language."""
