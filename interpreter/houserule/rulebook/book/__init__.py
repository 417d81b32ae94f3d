"""The rules of one table as a book: sections of sentences, each linked to its clause.

Input: a ruleset, the chosen table, and its program. `build` makes the book in one
language as plain values; the renderers (Markdown, HTML, PDF) output all of it and add
nothing. A sentence comes from the ruleset's texts if these describe the clause as it is
at the table; otherwise it is generated from the expression (`exact`).
"""
