"""The public API: the classes and functions of `import houserule`.

`houserule` loads a module of this package when a name in it is first used. Other
packages do the work; the command line uses the same ones.
"""
