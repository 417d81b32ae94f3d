"""Kinds of files: their schemas, and the files of a folder held to them."""
