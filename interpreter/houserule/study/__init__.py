"""Play many games: simulate, compare, analyse."""
