"""Games and mails that need processing, for the periodic sweep."""

from datetime import datetime

from django.db.models import Q, QuerySet

from games import clocks
from games.models import Game, InboundMail, MailState, Status
from games.selectors.waiting import find_games_without_deadline


def find_late_games(now: datetime) -> QuerySet[Game]:
    """Find the games in which the deadline of the awaited seat has passed."""
    return Game.objects.filter(status=Status.PLAYING, deadline__lt=now - clocks.ARRIVAL)


def find_games_to_score() -> QuerySet[Game, int]:
    """Games that wait for the final scoring, the longest first."""
    return Game.objects.filter(status=Status.SCORING).order_by("turn_began").values_list("pk", flat=True)


def find_games_for_the_bot(now: datetime) -> QuerySet[Game, int]:
    """Games that wait for the house bot, or whose last turn can't be undone any more, the longest first."""
    settled = Q(settles__lt=now) | Q(settles__gt=now + clocks.LONGEST_UNDO)  # before the clock went back
    waiting = find_games_without_deadline().filter(Q(by_program=True) | settled)
    return waiting.order_by("turn_began").values_list("pk", flat=True)


def find_waiting_mails(now: datetime) -> QuerySet[InboundMail, int]:
    """Mails in the inbox that wait to be answered, the oldest first."""
    waiting = InboundMail.objects.filter(state=MailState.WAITING, next_try__lte=now)
    return waiting.order_by("next_try", "pk").values_list("pk", flat=True)
