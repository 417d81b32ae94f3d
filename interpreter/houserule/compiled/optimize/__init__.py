"""What saves work: results that are remembered, indexes, numbers; and what it may cost.

Here too is said what cannot fail, so that it may be done before its turn, and where the
module looks whether it is to stop.
"""
