"""One game with people: its record, its narration, and what each seat sees."""
