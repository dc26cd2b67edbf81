"""The past of a game: its plies, its final scoring, how its tiles were drawn, what can be taken along."""
