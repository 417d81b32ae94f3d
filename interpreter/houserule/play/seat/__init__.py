"""One seat at one moment: what it sees, what it may do, and why not.

Every face, in a terminal, in a browser or on paper, draws the values of `model` and
adds nothing to them.
"""
