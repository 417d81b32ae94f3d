"""Diagnostics: errors in an author's text, their codes, and how they are shown.

Every compiler pass makes diagnostics from positions and facts. They become text for
people and objects for programs. This package neither reads rulesets nor decides what is
wrong.
"""
