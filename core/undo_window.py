"""The longest window to undo a turn, for the settings of players and for the clocks, which know nothing of
each other."""

from __future__ import annotations

from datetime import timedelta

LONGEST_UNDO = timedelta(seconds=120)
"""Maximum time for which a turn may be kept open to be undone; no clock runs meanwhile."""
