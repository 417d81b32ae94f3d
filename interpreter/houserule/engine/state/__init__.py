"""The state of a game: places of things, values of cells, visibility."""
