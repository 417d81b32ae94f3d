"""The bot that looks ahead: copies of the game, with what is hidden drawn anew."""
