"""Seats of tables, the names shown for them, and seats offered to substitutes."""

from collections.abc import Iterable, Sequence

from django.db.models import BooleanField, Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from games.access import Visitor, build_unsealed_filter
from games.clocks import TAKEOVERS
from games.conduct.blocks import build_unblocked_filter
from games.models import Game, Seat, Status, Visibility
from games.models.seat_loading import load_seats

OFFERED = RawSQL("games_seat.state = 'offered'", (), output_field=BooleanField())
"""Raw SQL, because SQLite uses a partial index only if the query itself contains the condition."""


def seat_name(seat: Seat) -> str:
    """Return the name shown for a seat; also for the house bot and free seats."""
    if seat.player is not None:
        return seat.player.username
    return _("House bot") if seat.bot else _("free seat")


def list_seat_names(seats: Iterable[Seat]) -> list[str]:
    """The names at a table by seat. Of several house bots each gets a number, in a name that is never cut."""
    seats = list(seats)
    names = [seat_name(seat) for seat in seats]
    bots = [index for index, seat in enumerate(seats) if seat.bot]
    if len(bots) > 1:
        for number, index in enumerate(bots, 1):
            names[index] = _("Bot {n}").format(n=number)
    return names


def load_seats_of(game: Game) -> list[Seat]:
    """The seats of *game* with their players, in order; one query, none after a turn that read them."""
    if game.loaded_seats is not None and game.loaded_seats.version == game.version:
        return list(game.loaded_seats.seats)
    return load_seats(game)


def load_seats_of_all(games: Iterable[Game]) -> dict[int, list[Seat]]:
    """Return the seats of all *games* by the games' primary keys, like :func:`load_seats_of`. One query."""
    by_game: dict[int, list[Seat]] = {}
    seats = Seat.objects.filter(game__in={game.pk for game in games})
    for seat in seats.select_related("player__personal_time").order_by("game", "index"):
        by_game.setdefault(seat.game_id, []).append(seat)
    return by_game


def find_own_seat(seats: Sequence[Seat], viewer: Visitor) -> Seat | None:
    if not viewer.is_authenticated:
        return None
    return next((seat for seat in seats if seat.player_id == viewer.pk), None)


def find_offered_seats(visitor: Visitor) -> QuerySet[Seat]:
    """Find the seats of public games that *visitor* could take over, longest offered first, but none in their
    own games. What lists show of the games must still be loaded."""
    offered = Seat.objects.filter(
        OFFERED,
        build_unsealed_filter(visitor, "game"),
        build_unblocked_filter(visitor, "game"),
        takeovers__lt=TAKEOVERS,
        game__status=Status.PLAYING,
        game__visibility=Visibility.PUBLIC,
    )
    if visitor.is_authenticated:
        offered = offered.filter(~Q(Exists(Seat.objects.filter(game=OuterRef("game"), player=visitor))))
    return offered.order_by("pk")
