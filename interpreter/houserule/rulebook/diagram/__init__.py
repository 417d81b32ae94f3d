"""The turn of a composed game as a drawing: text, Mermaid, SVG, or data.

In: the composed rules of one table, and the words of a language. `build` makes the
model, which says what there is to draw; each renderer draws all of it. Everything comes
from the rules: nothing here knows a game.
"""
