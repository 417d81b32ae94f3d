"""From text to tree: words and lines, the grammar, and a typed node for each cst."""
