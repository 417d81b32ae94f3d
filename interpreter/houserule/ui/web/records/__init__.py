"""Finished games: replays and statistics; downloads and uploads of records."""
