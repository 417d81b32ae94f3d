"""Make a program of a ruleset and a table; prove the laws for all tables."""
