"""What pages show, as values; templates compute nothing."""
