"""Forms of leagues."""
