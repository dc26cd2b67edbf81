"""Pages of leagues, as values; templates compute nothing."""
