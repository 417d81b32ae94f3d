"""Evaluation: expressions of the core, each compiled once to a Python function.

`expressions.Evaluator` is what others use. `source` writes the Python of an expression
and explains it, `operations` has the functions that it calls, `values` the calls of
declared values, `work` and `costs` the counts and bounds of work. `context` has what
such a function gets: the running game, and a frame of local values.
"""
