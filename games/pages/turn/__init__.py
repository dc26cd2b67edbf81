"""The composition of a turn, and of the other answers that a seat gives."""
