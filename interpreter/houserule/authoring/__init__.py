"""The author's tools: check, scenarios, coverage, renaming."""
