"""The rules of one table as a book: sections of sentences, each tied to its clause.

In: a ruleset, the table that was chosen, its program. `build` makes the book in one
language as plain values; the faces (Markdown, HTML, PDF) draw all of it and add
nothing. A sentence comes from the ruleset's texts as long as these speak of the clause
as it stands at the table; else from the expression itself (`exact`).
"""
