"""Seasons of teams. Functions for all seasons call these where teams play, and these call them: games at
boards are ordinary matches, and their players have entries."""
