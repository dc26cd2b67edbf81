"""Games in which no person is awaited."""

from __future__ import annotations

from django.db.models import BooleanField, OuterRef, Q, QuerySet, Subquery, Value

from games.models import Game, Seat, SeatState, Status


def games_without_deadline() -> QuerySet[Game]:
    """Running games in which no clock runs: a program is awaited (``by_program`` is true, else empty), the
    last turn can still be undone, or the game stands still.

    Whether a program is awaited is a value and no ``Exists``: beside an "or", PostgreSQL would read all seats
    of the site once rather than one seat of each of these few games.
    """
    awaited = Seat.objects.filter(game=OuterRef("pk"), index=OuterRef("awaited"))
    program = awaited.filter(~Q(bot="") | ~Q(state=SeatState.PLAYING)).values(awaits=Value(True))[:1]
    still = Game.objects.filter(status=Status.PLAYING, deadline=None)
    return still.alias(by_program=Subquery(program, output_field=BooleanField()))
