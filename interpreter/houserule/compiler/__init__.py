"""The compiler: from a ruleset and a table to a program, and checks of all tables."""
