"""What other applications may want to hear about an account."""

from django.dispatch import Signal

# Sent inside the transaction that closes an account, before its data go: player, now.
account_closed = Signal()
