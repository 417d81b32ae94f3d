"""The configurator of house rules: options, conflicts, and effects.

In: a ruleset and a choice of table. Out: plain values in the viewer's language, which a
page or a terminal draws; and links that hold a whole choice.
"""
