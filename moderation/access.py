"""Access of moderators to incidents and messages."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from games.access import Visitor, build_unsealed_filter, is_moderator
from games.models import Message, Move, Seat, Visibility
from moderation.models import Incident, Report


def may_decide(visitor: Visitor, incident: Incident) -> bool:
    """Return whether *visitor* is a moderator who may know *incident*; one query for a moderator. Recusals
    are checked in ``moderation.interests``."""
    if not visitor.is_authenticated or not is_moderator(visitor):
        return False
    return find_incidents(visitor).filter(pk=incident.pk).exists()


def filter_talk(talk: QuerySet[Message]) -> QuerySet[Message]:
    """Return the part of *talk* that moderators read besides evidence: public and reported messages."""
    reported = Report.objects.filter(message=OuterRef("pk"))
    return talk.filter(~Q(game__visibility=Visibility.PRIVATE) | Exists(reported))


def find_incidents(moderator: Player) -> QuerySet[Incident]:
    """Return the incidents that *moderator* may know: not those about them, nor those whose game they may not
    see because of its draw."""
    return Incident.objects.filter(
        ~Q(about=moderator), Q(game=None) | build_unsealed_filter(moderator, "game")
    )


def find_incidents_of_others(moderator: Player) -> QuerySet[Incident]:
    """Return those of ``find_incidents`` that *moderator* has not reported, and whose game they have no part
    in."""
    seats = Seat.objects.filter(game=OuterRef("game"), player=moderator)
    gone = Move.objects.filter(game=OuterRef("game"), action__gone=moderator.pk)
    own = Report.objects.filter(incident=OuterRef("pk"), reporter=moderator)
    return find_incidents(moderator).filter(~Exists(own), ~Exists(seats), ~Exists(gone))
