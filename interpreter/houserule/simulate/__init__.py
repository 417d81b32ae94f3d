"""Many games by bots: played in several processes, counted in one.

The result is the same for any number of processes; `digest` says so in one line.
"""
