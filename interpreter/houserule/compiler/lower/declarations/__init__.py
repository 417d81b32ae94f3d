"""Lower declarations of the composed rules to the core."""
