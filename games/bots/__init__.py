"""Programs that play, one package each: pure functions of a state."""
