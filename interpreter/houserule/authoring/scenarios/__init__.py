"""Worked examples: given a position, do something, expect something.

In: YAML files that players write, and a ruleset. Out: a verdict for each example in
each of its tables, with the line that was not met. Wrong words in a file are
diagnostics; a rule that acts otherwise is a problem of the example's verdict.
`plugin` lets pytest collect the same files.
"""
