"""Page values of moderation: the desk, and pages for players."""
