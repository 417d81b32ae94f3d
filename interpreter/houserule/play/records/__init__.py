"""Records: a seed, a table and choices by name, enough to play a game again.

In: a game as it is played, or the text of a record. Out: the text, or the same game
again with the first move at which it differs.
"""
