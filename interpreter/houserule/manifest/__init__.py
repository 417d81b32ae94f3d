"""A ruleset's folder, read: YAML and rules files in, one `LoadedRuleset` out.

`load.load_ruleset` reads everything and reports every fault with its place. `yaml` is
general: scenario files, table files and records are read by it too. What
the rules *mean* is no business of this package: it looks at shape, files and names.
"""
