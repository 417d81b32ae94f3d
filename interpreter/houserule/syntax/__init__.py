"""Text becomes a tree: `Source` in, `Unit` nodes and diagnostics out.

`read` goes from text to tree: `scan` (words and lines), `parser` (the only file that
knows lark), `recover` (several faults in one run), `build` and the builders (the typed
tree), `cache` (trees kept on disk). `errors` words the faults of the grammar in the
author's terms, `tree` has the nodes and their visitor, `write` goes back to text, and
`vocabulary` lists the words that open lines. Nothing here knows what a name means.
"""
