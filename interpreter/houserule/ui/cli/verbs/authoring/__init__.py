"""The verbs that authors ask about files and books."""
