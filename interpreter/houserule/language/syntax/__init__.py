"""Parse rules files: `Source` in, `Unit` nodes and diagnostics out.

`read` parses: `scan` (words and lines), `parser` (the only module that uses lark),
`units` (item by item, with several errors per run), `build` (the typed tree), and
`cache` (trees on disk). `errors` puts syntax errors into the author's terms. `tree` has
the nodes and their visitor, `write` prints them, and `vocabulary` lists the words.
Names are not resolved here.
"""
