"""Worked examples: given a position, do something, expect something.

The input is YAML files by players, and a ruleset. The output is a verdict for each
example at each of its tables, with the line that failed. Invalid files lead to
diagnostics; rules that behave differently lead to problems in the verdict. `plugin`
makes pytest collect the same files.
"""
