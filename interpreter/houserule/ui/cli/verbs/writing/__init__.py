"""The verbs that write rules files."""
