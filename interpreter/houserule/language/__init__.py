"""Read authors' files: rules become trees, YAML becomes rows."""
