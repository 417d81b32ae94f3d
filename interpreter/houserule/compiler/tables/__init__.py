"""Choose tables: by hand, by a preset, or as a sample that stands for all."""
