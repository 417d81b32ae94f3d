"""Batched games: one call steps many games in one WebAssembly module."""
