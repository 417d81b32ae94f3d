"""Analysis: where a game turned, the better choice, and by how much.

At each decision of a record a search looks at the options as the seat that decided
could: `measuring` rates what was chosen and what seems better on equal terms, `going`
goes through a record, `telling` says what was found, in a language.
"""
