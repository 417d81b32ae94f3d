"""Expressions of the core as WebAssembly."""
