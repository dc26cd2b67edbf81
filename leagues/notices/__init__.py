"""Mails of leagues: what they say, and whether they still matter (``leagues/outbox.py`` owes them)."""
