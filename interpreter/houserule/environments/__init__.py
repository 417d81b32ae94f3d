"""Reinforcement-learning environments: observations, actions, batched games.

An observation is a row of small integers, an action is a number. An observation
contains only what its seat may see.
"""
