"""Signals about an account, for other applications."""

from django.dispatch import Signal

# Sent inside the transaction that closes an account, before its data go: player, now.
account_closed = Signal()

# Sent when the session of a request goes on under another key, as after a change of the password; all other
# sessions of the player have ended: player, request.
session_renewed = Signal()
