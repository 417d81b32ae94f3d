"""The items of a ruleset: their declarations, edits and mentions."""
