"""Looking closer: what a feature, an open space or a quarter is, and what lies over the board."""
