"""Text becomes a tree: `Source` in, `Unit` nodes and diagnostics out.

Reading order: `scan` (words and lines), `parser` (the only file that knows lark),
`recover` (several faults in one run), `build*` (the typed tree of `tree`),
`mistakes` (faults in the author's words), `print*` and `format` (back to text),
`cache` (trees kept on disk). Nothing here knows what a name means.
"""
