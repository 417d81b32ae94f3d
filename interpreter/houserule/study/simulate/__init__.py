"""Many games by bots: played in several processes or on a cluster, counted in one.

The result is the same for any number of workers; `digest` says so in one line. Every
way to play goes through `play.play_games`: spans of it are spread over `workers` by
`batch`. `tally` and `pairs` count what comes back, so that no game is kept,
`statistics` and `comparison` work out what that says, and `verdicts` puts differences
into words.
"""
