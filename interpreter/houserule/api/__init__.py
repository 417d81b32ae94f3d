"""The public face: what `import houserule` offers, as classes and functions.

`houserule` loads a module of this package when a name in it is first used. Behind the
face stand the packages that do the work; the verbs of the command use the same ones.
"""
