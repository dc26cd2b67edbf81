"""Signals about an account, which other applications may want to hear."""

from django.dispatch import Signal

# Sent inside the transaction that closes an account, before its data go: player, now.
account_closed = Signal()
