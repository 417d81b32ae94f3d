"""Meanings of names: of a game, of the language, of messages, of the pages."""
