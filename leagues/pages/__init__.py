"""Page values of leagues; templates compute nothing."""
