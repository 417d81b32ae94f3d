"""The state of a game: where each thing lies, what each cell holds, who sees it."""
