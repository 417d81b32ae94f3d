"""Read a ruleset's folder: YAML and rules files in, one `LoadedRuleset` out.

`load.load_ruleset` reads everything and reports every error with its place. `yaml` is
general: it also reads scenario files, table files and records. This package checks
shape, files and names, not what the rules *mean*.
"""
