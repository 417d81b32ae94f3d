"""The verbs that write files of rules."""
