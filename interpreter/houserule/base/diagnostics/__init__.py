"""Faults of an author's text as values, their codes, and how they are shown.

In: places and facts, from every pass. Out: text for people, objects for programs.
Nothing here reads a ruleset or decides what is wrong.
"""
