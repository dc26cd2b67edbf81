"""Incoming mail: taken by a receiver, stored in the inbox, and answered from there (``docs/mail.md``).

``games/inbox`` reads a message from its bytes alone; this package checks that the sender may do what it asks
for, and does it.
"""
