"""Games for houserule, which reads the folder `rulesets` and imports nothing."""
