"""Names shared by tests and the workers that they start."""

POISON = "Poison"
"""Name of a game, a player or a league that kills any worker that processes it."""
