"""Simulations: many games by bots, in several processes or on a cluster.

The result does not depend on the number of workers; compare `digest` to check. All
games are played by `play.play_games`: `schedule.batch` distributes spans of games over
workers. `statistics` counts the results without keeping the games, `comparison`
computes differences between tables, and `statistics.measures` puts them into words.
"""
