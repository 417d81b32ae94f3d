"""Lower statements of the tree to the core, and to payments of actions."""
