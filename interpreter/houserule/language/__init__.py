"""Read what people write: rules become trees, YAML becomes rows."""
