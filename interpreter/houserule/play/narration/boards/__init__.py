"""Boards: grids of cells, drawn from the state."""
