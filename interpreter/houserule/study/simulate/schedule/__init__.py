"""Scheduling: games spread over threads, processes or a cluster."""
