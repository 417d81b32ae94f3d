"""Records: a seed, a table and choices by name, enough to replay a game.

In: a running game, or the text of a record. Out: the text, or the replayed game with
the first move that differs.
"""
