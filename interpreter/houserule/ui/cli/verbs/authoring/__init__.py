"""The verbs for authors of rules and source books."""
