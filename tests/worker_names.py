"""Names that tests and the workers which they start know."""

POISON = "Poison"
"""Whoever does something to a game, a player or a league of this name dies of it."""
