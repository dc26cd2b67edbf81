"""The queues of the moderators' desk, and what its yearly numbers count."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.selectors import appeals, conduct_counts, desk, incidents, yearly

ABOUT_SIGNALS = _("Possible signs of unfair play. They punish nobody: say what you make of them.")


def register(find_signals: Callable[[datetime], Sequence[Any]]) -> None:
    """Register the queues in their order on the page; signals are known above this room."""
    desk.register(incidents.QUEUE)
    desk.register(appeals.QUEUE)
    desk.register(desk.Queue("signals", _("Signals"), ABOUT_SIGNALS, find_signals))
    yearly.register(conduct_counts.SANCTIONS)
    yearly.register(conduct_counts.APPEALS)
