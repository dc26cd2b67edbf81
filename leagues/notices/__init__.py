"""Mails of leagues: their texts, and checks whether they are still relevant (``leagues/outbox.py`` queues
them)."""
