"""Rows of a club with very many games, written by SQL: a hundred thousand take a minute.

Patterns are played through the services, as on the site; the other games are copies of their rows, with their
own players and times. Only the first moves and tiles of a game are copied: lists show none, and the admin's
lists of them are long enough.
"""

from __future__ import annotations

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.db import connection
from django.db.models import Model, OuterRef, Subquery
from django.utils import timezone

from accounts.models import Player
from games import play
from games.models import (
    ActKind,
    Game,
    Message,
    ModerationAct,
    Move,
    Notice,
    Seat,
    SeatState,
    Status,
    Tile,
)
from ratings.models import Pool, Rating
from ratings.skill import LEAST_GAMES
from tests.games.factories import heart_beats, make_game, make_player, make_table, play_turns

PLAYED = ("open", "running", "private", "over")
OF_A_HUNDRED = (("open", 2), ("running", 15), ("private", 8), ("over", 75))
GAMES_TO_A_PLAYER = 20
LEAST_PLAYERS = 120  # so that the pages of a small club are full, too
IN_TIME = 1_000  # minutes before a pattern's deadline, of which some are left
HAPPENINGS = 20  # a club of any size has about as many seats to offer, and moderators' acts of late
KEPT = 4  # moves and tiles of each copy


class Club:
    """A database with one game of each kind, to which copies of them are added."""

    def __init__(self) -> None:
        now = timezone.now()
        heart_beats(now)
        begun = now - timedelta(hours=3)
        self.patterns = {
            "open": make_table(now=now),
            "running": play_turns(make_game(now=begun), 20, now=begun),
            "private": self._over(visibility="private", now=begun),
            "over": self._over(now=begun),
        }
        Message.objects.create(
            game=self.patterns["over"], author=self.patterns["over"].host, text="Well played", at=now
        )
        self.players: list[Player] = []

    @staticmethod
    def _over(**settings: object) -> Game:
        now = settings["now"]
        game = play_turns(make_game(**settings), 4, now=now)  # type: ignore[arg-type]
        return play.resign(game_id=game.pk, seat=0, now=now)  # type: ignore[arg-type]

    def grow(self, number: int) -> None:
        """Add games until there are so many, and players in proportion."""
        more = number - Game.objects.count()
        self._more_people(max(LEAST_PLAYERS, number // GAMES_TO_A_PLAYER) - len(self.players))
        for kind, share in OF_A_HUNDRED:
            self._copy(self.patterns[kind], more * share // 100)
        self._happenings()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as PostgreSQL does by itself after a while
            if connection.vendor == "postgresql":
                cursor.execute("SET random_page_cost = 1.1")  # as docs/queries.md says

    def seat(self, name: str, *, running: int, over: int) -> Player:
        """Create a player with the first seat of so many of the latest running and finished games."""
        player = make_player(name)
        for kind, number in (("running", running), ("over", over)):
            status = self.patterns[kind].status
            public = Game.objects.filter(status=status, visibility="public")
            taken = public.exclude(seats__player__in=self.seated).order_by("-pk")
            chosen = list(taken.values_list("pk", flat=True)[:number])
            for start in range(0, len(chosen), 500):
                Seat.objects.filter(index=0, game__in=chosen[start : start + 500]).update(player=player)
        self.seated.append(player)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        return player

    @property
    def seated(self) -> list[Player]:
        """The players who were given seats."""
        self.__dict__.setdefault("_seated", [])
        return self.__dict__["_seated"]

    def _happenings(self) -> None:
        """Add an offered seat and a moderator's act to a few running games."""
        now = timezone.now()
        running = Game.objects.filter(status=Status.PLAYING, visibility="public").order_by("pk")[:HAPPENINGS]
        Seat.objects.filter(game__in=list(running), index=1).update(state=SeatState.OFFERED)
        ModerationAct.objects.bulk_create(
            ModerationAct(game=game, version=game.version, kind=ActKind.PAUSE, who=game.host, at=now,
                          reason="Asked by both", before={}, after={})
            for game in running
        )  # fmt: skip

    def _more_people(self, number: int) -> None:
        known = len(self.players)
        people = Player.objects.bulk_create(
            Player(username=f"Member{at}", email=f"member{at}@example.org", password="!")
            for at in range(known, known + number)
        )
        EmailAddress.objects.bulk_create(
            EmailAddress(user=one, email=one.email, verified=True, primary=True) for one in people
        )
        soon = timezone.now() + timedelta(days=90)
        Rating.objects.bulk_create(
            Rating(player=one, pool=pool, mu=25 + at % 997 / 100, sigma=2, games=LEAST_GAMES + at % 50,
                   ended=timezone.now(), settled_until=soon)
            for at, one in enumerate(people)
            for pool in Pool.values
        )  # fmt: skip
        self.players += people

    def _copy(self, game: Game, number: int) -> None:
        """Add so many copies of *game*, each a minute older than the one before; no deadline has passed."""
        if number < 1:
            return
        last = Game.objects.order_by("-pk").values_list("pk", flat=True)[0]
        times = ("created", "started", "turn_began", "finished", "expires")
        _insert(
            Game,
            f"games_game pattern, numbers WHERE pattern.id = {game.pk}",
            number,
            code=f"'c' || ({last} + i)",
            name="pattern.name || ' ' || i",
            deadline=_minutes_before("pattern.deadline", f"i % {IN_TIME}"),
            **{name: _minutes_before(f"pattern.{name}") for name in times},
        )
        of_copies = f"games_game game, {{}} pattern WHERE game.id > {last} AND pattern.game_id = {game.pk}"
        member = f'{self.players[0].pk} + (game.id * 7 + pattern."index") % {len(self.players)}'
        _insert(Seat, of_copies.format("games_seat"), player_id=f"CASE WHEN pattern.player_id IS NULL"
                f" THEN NULL ELSE {member} END", game_id="game.id", ended="game.finished")  # fmt: skip
        first = Seat.objects.filter(game=OuterRef("pk"), player__isnull=False).order_by("index")
        Game.objects.filter(pk__gt=last).update(host=Subquery(first.values("player")[:1]))
        for model, order in ((Move, "version"), (Tile, "draw")):
            rows = of_copies.format(model._meta.db_table)
            _insert(model, f"{rows} AND pattern.{order} <= {KEPT}", game_id="game.id")
        _insert(Notice, of_copies.format("games_notice"), game_id="game.id",
                key="'c' || game.id || ':' || pattern.key")  # fmt: skip
        _insert(Message, of_copies.format("games_message"), game_id="game.id")


def _minutes_before(column: str, number: str = "i") -> str:
    if connection.vendor == "postgresql":
        return f"{column} - ({number}) * interval '1 minute'"
    return f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-' || ({number}) || ' minutes')"


def _insert(model: type[Model], rows: str, number: int = 0, **values: str) -> None:
    """Write copies of *rows*, named ``pattern``, with other *values* (SQL by column); with a *number*, so
    many of each, counted by ``i``."""
    columns = [field.column for field in model._meta.concrete_fields if not field.primary_key]
    chosen = ", ".join(values.get(column, f'pattern."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    counted = ""
    if number:
        counted = (
            f"WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {number}) "
        )
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {model._meta.db_table} ({names}) {counted}SELECT {chosen} FROM {rows}")
