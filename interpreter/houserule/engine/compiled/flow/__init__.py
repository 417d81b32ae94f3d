"""The flow of the game: phases, open steps, first values of states, the end."""
