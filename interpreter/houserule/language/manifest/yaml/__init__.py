"""YAML files as plain data with places, and as pydantic models."""
