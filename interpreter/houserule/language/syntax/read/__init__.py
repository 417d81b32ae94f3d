"""From text to tree: words and lines, the grammar, and typed nodes."""
