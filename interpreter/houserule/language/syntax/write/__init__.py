"""From tree to text: print nodes, and format files."""
