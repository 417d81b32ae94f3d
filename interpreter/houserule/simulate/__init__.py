"""Simulation: many games by bots, played by several workers and counted in one process.

The result is the same for any number of workers; `digest` shows it in one line. An
`experiments.Experiment` makes a `Job`; `schedule` spreads it in spans over workers,
each of which plays by `play.play_games`, on the engine that `engines` chose.
`statistics` counts what comes back, so that no game is kept, and makes a `Simulation`
of it; `comparison` makes a `Comparison` of several tables. `output` writes rows of
games, and pictures.
"""
