"""What editors ask about the files of a game: messages, completion, meanings."""
