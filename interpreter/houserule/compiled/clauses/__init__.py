"""What is done: clauses as functions that can stop at a decision and go on."""
