"""People: accounts, preferences, sign-in."""
