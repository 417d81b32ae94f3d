"""Composition: from the units of a ruleset and their edits to a table's rules.

The input is a loaded ruleset and a table; the output is `Rules`, or diagnostics. This
package neither checks types nor evaluates play. It only computes constants of options.
"""
