"""Evaluation: expressions of the core, each compiled once to a Python closure.

`expressions.Evaluator` compiles them, with one module for each family of nodes:
`lookups`, `arithmetic`, `sets`, `queries` and `values` (calls of declared values).
`context` has what a closure is given: the running game, and a frame of local values.
"""
