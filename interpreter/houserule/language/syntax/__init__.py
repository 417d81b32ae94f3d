"""Text becomes a tree: `Source` in, `Unit` nodes and diagnostics out.

`read` goes from text to tree: `scan` (words and lines), `parser` (the only file that
knows lark), `units` (item by item, several faults in one run) and the builders beside
it (the typed tree), `cache` (trees kept on disk). `errors` words the faults of the
grammar in the author's terms, `tree` has the nodes and their visitor, `write` goes back
to text, and `vocabulary` lists the words. Nothing here knows what a name means.
"""
