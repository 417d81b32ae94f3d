"""What names mean: of a game's rules, of the language, of messages, of the pages."""
