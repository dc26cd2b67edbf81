"""Who meets whom, and who begins: pure functions of players and of rounds played (STAND-2, 14, 15)."""
