"""Expressions of the core, as operands of WebAssembly."""
