"""What authors run on their files: check, scenarios, coverage, rename."""
