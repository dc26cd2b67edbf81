"""What other applications may want to hear about a game."""

from django.dispatch import Signal

# Sent after the commit in which a game ended, however it did: game, the primary key. It may be lost with the
# process; the rows stay the truth.
game_ended = Signal()
