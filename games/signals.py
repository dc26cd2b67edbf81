"""What other applications may want to hear about a game."""

from django.dispatch import Signal

# Sent after the commit in which a game ended, however it did: game, the primary key. It may be lost with the
# process; the rows stay the truth.
game_ended = Signal()

# Sent after the commit in which a moderator has changed a game that was over, or is now: whether it is, its
# result, its players or its mark as rated: game, the primary key. It may be lost, too.
game_changed = Signal()
