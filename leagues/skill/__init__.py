"""How strong players are: pure functions of results, by the openskill library (RATE-1 to 7)."""
