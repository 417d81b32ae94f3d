"""One game out of many files: units and edits in, composed rules for a table out.

In: a loaded ruleset and a table. Out: `Rules`, or diagnostics. Nothing here knows
types or evaluates play; constants of options are the only values it computes.
"""
