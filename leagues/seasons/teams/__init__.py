"""Seasons of teams. What is there for all seasons comes here where a team plays, and what comes here goes on
there: the games at boards are matches like all others, and their players have entries."""
