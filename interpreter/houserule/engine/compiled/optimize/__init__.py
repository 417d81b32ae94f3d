"""Optimisations, and the analyses that say where they are allowed.

Analyses: constants, costs, versions of the state. Optimisations: memos, numbered
values. None of them changes what a game does, nor which fault it ends with.
"""
