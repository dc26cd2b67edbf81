"""Names that tests and the workers which they start know."""

POISON = "Poison"
"""Name of a game, a player or a league that kills any worker that processes it."""
