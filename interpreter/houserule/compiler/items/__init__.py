"""What every item of a ruleset declares, edits and mentions."""
