"""The only door through which a season changes."""
