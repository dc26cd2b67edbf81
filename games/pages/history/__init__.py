"""A game's past: its plies, its final scoring, its draw, and downloads."""
