"""Optimisations, and the analyses that say where they are allowed.

Analyses: constants, costs, totality, versions of the state. Optimisations: common
subexpressions, memos, indexes, numbered values. None of them changes what
a game does, nor which fault it ends with.
"""
