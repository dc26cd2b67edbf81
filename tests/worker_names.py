"""Names shared by tests and the workers that they start."""

POISON = "Poison"
"""Whoever does something to a game, a player or a league of this name dies of it."""
