"""The exact wording of clauses: what the core says, in sentences of a language."""
