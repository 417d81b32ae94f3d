"""Events of a game as sentences that a person can follow."""
