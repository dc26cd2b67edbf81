"""What the mails of leagues say, and whether they still matter (``leagues/outbox.py`` owes them)."""
