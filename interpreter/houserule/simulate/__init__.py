"""Many games by bots: played in several processes or on a cluster, counted in one.

The result is the same for any number of workers; `digest` says so in one line. Every
way to play goes through `play.play_games`: spans of it are spread over `workers` by
`batch`, `statistics` counts what comes back, `comparison` pairs several tables game by
game on the same luck, and `verdicts` puts the differences into words.
"""
