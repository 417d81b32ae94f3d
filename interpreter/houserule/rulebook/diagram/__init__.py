"""Diagrams of a turn at one table: text, Mermaid, SVG, or data.

Input: the composed rules of one table, and the words of a language. `build` makes the
model of the diagram, and each renderer draws all of it. Everything comes from the
rules: this package does not know any game.
"""
