"""Bots, one package each: pure functions of a state."""
