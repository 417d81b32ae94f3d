"""The merge laws: how the edits of one table combine, one module per law."""
