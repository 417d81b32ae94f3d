"""Kinds of files: their schemas, and validation of a folder against them."""
