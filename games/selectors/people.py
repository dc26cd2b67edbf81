"""Players: search, following, and results against each other.

It reveals nothing about accounts but their names, and nothing about games that the visitor may not find.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import Any, NamedTuple

from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import names, texts
from accounts.models import Player
from games import access
from games.access import Visitor
from games.models import Block, FollowedPlayer, Result, Seat, Status, Visibility
from games.process_cache import LRUCache
from games.rules.ruleset import MAX_SEATS
from games.selectors.contests import ContestVerdict, load_ruled_games
from games.selectors.paging import KeyPage, Order
from games.words import rule_sets

MOST_OPPONENTS = 10
MOST_LATELY = 12
MOST_FAVOURITES = 3
BASE = "base"
BY_NAME = Order(Player, ("name_key",))
PRESENT = Q(player__closed=None, player__is_active=True)
"""Filter for seats of people whose accounts are open and active."""
LISTED = PRESENT & Q(player__provisional=False)
"""Filter for seats of people who appear in lists; guests do not."""


Ruled = Mapping[int, ContestVerdict]
"""Verdicts of contests on finished games, by primary key (``contests.load_ruled_games``)."""


class ResultTally(NamedTuple):
    """The results of somebody in finished games of one kind."""

    kind: str | int  # the slug of a set, or a number of seats
    played: int
    won: int
    shared: int

    @property
    def name(self) -> str:
        if isinstance(self.kind, int):
            return ngettext("{n} player", "{n} players", self.kind).format(n=self.kind)
        return _("Base game only") if self.kind == BASE else str(rule_sets.SETS[self.kind])

    @property
    def lost(self) -> int:
        return self.played - self.won - self.shared


class Encounter(NamedTuple):
    """The results of a player against another one, in games that both finished."""

    opponent: str  # by name
    played: int
    ahead: int  # number of games in which the player was placed better
    behind: int

    @property
    def equal(self) -> int:
        return self.played - self.ahead - self.behind


def present() -> QuerySet[Player]:
    """Return the players who can be found: confirmed accounts that are not closed, and no guests."""
    return Player.objects.with_account().filter(closed=None, is_active=True)


def search_people(text: str, asked: Mapping[str, Any], size: int) -> KeyPage[Player]:
    """Return the page *asked* for of players whose names begin with *text*, by name, annotated with their
    public games. One query."""
    beginning = names.build_key(texts.normalize_text("player", text))
    people = annotate_present_games(present().filter(name_key__startswith=beginning))
    return BY_NAME.page(people, BY_NAME.place(asked), size)


def annotate_present_games(players: QuerySet[Player]) -> QuerySet[Player]:
    """Annotate *players* with ``playing``, the number of their running public games, and load their personal
    time."""
    live = Seat.objects.filter(
        player=OuterRef("pk"), ended=None, game__status=Status.PLAYING, game__visibility=Visibility.PUBLIC
    )
    number = live.order_by().values("player").annotate(n=Count("pk")).values("n")
    return players.annotate(playing=Coalesce(Subquery(number), 0)).select_related("personal_time")


def find_followed(player: Player) -> QuerySet[Player]:
    """Return whom *player* follows, in order of their names."""
    theirs = FollowedPlayer.objects.filter(player=player).values("followed")
    return present().filter(pk__in=theirs).order_by("name_key")


class Attitude(NamedTuple):
    """A player's choices about another one, known only to the former."""

    follows: bool
    blocks: bool


def load_attitude(player: Player, other: Player) -> Attitude:
    """Return what *player* has chosen about the *other*; one query."""
    follows = Exists(FollowedPlayer.objects.filter(player=player, followed=OuterRef("pk")))
    blocks = Exists(Block.objects.filter(player=player, blocked=OuterRef("pk")))
    return Attitude(*Player.objects.filter(pk=other.pk).values_list(follows, blocks).get())


def load_recent_companions(player: Player) -> list[Player]:
    """Return those with whom *player* has played, the latest game first."""
    most = 2 * MOST_LATELY
    begun = Seat.objects.filter(player=player, game__started__isnull=False)
    over = begun.filter(ended__isnull=False).order_by("-ended", "-game_id")[:most]
    running = begun.filter(ended=None).order_by("-game__started", "-game_id")[:most]
    found_games = [
        *running.values_list("game__started", "game"),
        *over.values_list("game__started", "game"),
    ]
    latest = [game for _started, game in sorted(found_games, reverse=True)[:most]]
    seats = Seat.objects.filter(LISTED, game__in=latest, player__isnull=False).exclude(player=player)
    order = {pk: at for at, pk in enumerate(latest)}
    players = sorted(
        seats.select_related("player__personal_time"), key=lambda seat: (order[seat.game_id], seat.index)
    )
    unique = {seat.player_id: seat.player for seat in players if seat.player is not None}
    return list(unique.values())[:MOST_LATELY]


class PlayerRecord(NamedTuple):
    """A player's results in finished games, by the number of seats and by sets: first the base game alone,
    then each expansion."""

    by_seats: list[ResultTally]
    by_sets: list[ResultTally]

    @property
    def total(self) -> ResultTally:
        """The results in games of any number of seats."""
        sums = [sum(numbers) for numbers in zip(*(tally[1:] for tally in self.by_seats), strict=True)]
        return ResultTally("", *(sums or (0, 0, 0)))

    @property
    def favourites(self) -> list[ResultTally]:
        """The expansions played most, or the base game for who plays nothing else; the most first."""
        return sorted(self.by_sets, key=lambda tally: -tally.played)[:MOST_FAVOURITES]


class PlayerHistory(NamedTuple):
    """A player's results in all finished games that a visitor may find."""

    record: PlayerRecord
    encounters: list[Encounter]  # with those with whom they have finished most of them


_histories: LRUCache[PlayerHistory] = LRUCache("how players did", 500)


def load_history(player: Player, visitor: Visitor, ruled: Ruled | None = None) -> PlayerHistory:
    """Return the results of *player* in games that *visitor* may find. Three queries; two if they are cached;
    one or two more unless it is given what contests have *ruled* on games of the player.

    They are counted again whenever a game of the player has ended or was resumed, or a ruling has changed.
    Opponents who have closed
    their accounts meanwhile are left out.
    """
    over = Seat.objects.filter(player=OuterRef("pk"), ended__isnull=False)
    latest = over.order_by("-ended", "-game_id")
    number = over.order_by().values("player").annotate(n=Count("pk")).values("n")
    known = Subquery(latest.values("game__code")[:1]), Subquery(latest.values("ended")[:1]), Subquery(number)
    ruled = load_ruled_games(player) if ruled is None else ruled
    verdicts = tuple((pk, *sorted(verdict.ranks.items())) for pk, verdict in sorted(ruled.items()))
    key = player.pk, visitor.pk, verdicts, *Player.objects.filter(pk=player.pk).values_list(*known).get()
    history = _histories.get(key)
    if history is None:
        history = PlayerHistory(
            _record_of(player, visitor, ruled), _encounters(player, visitor, LISTED, ruled)
        )
        _histories.put(key, history)
        return history
    named = Player.objects.filter(username__in=[encounter.opponent for encounter in history.encounters])
    here = set(named.filter(closed=None, is_active=True).values_list("username", flat=True))
    return history._replace(
        encounters=[encounter for encounter in history.encounters if encounter.opponent in here]
    )


def load_encounter(player: Player, other: Player, ruled: Ruled | None = None) -> Encounter | None:
    """Return the results of *player* against *other*, from the player's view; ``None`` if they finished no
    game. *ruled* are the verdicts on games of one of them, read unless given."""
    ruled = load_ruled_games(player) if ruled is None else ruled
    return next(iter(_encounters(player, player, Q(player=other), ruled)), None)


def _encounters(player: Player, visitor: Visitor, who: Q, ruled: Ruled) -> list[Encounter]:
    """The opponents *who*, the most frequent first; games that contests have *ruled* on count as ruled."""
    theirs = Seat.objects.filter(player=player, ended__isnull=False, game__status=Status.FINISHED)
    met = (
        Seat.objects.annotate(own=FilteredRelation("game__seats", condition=Q(game__seats__player=player)))
        .filter(who, _findable(visitor), PRESENT, own__isnull=False, game__in=theirs.values("game"))
        .exclude(player=player)
        .order_by()
    )
    counted = (
        met.exclude(game__in=ruled)
        .values("player", "player__username")
        .annotate(
            played=Count("pk"),
            ahead=Count("pk", filter=Q(rank__gt=F("own__rank"))),
            behind=Count("pk", filter=Q(rank__lt=F("own__rank"))),
        )
        .order_by("-played", "player")
    )
    sums = {
        row["player"]: Encounter(row["player__username"], row["played"], row["ahead"], row["behind"])
        for row in (counted if ruled else counted[:MOST_OPPONENTS])
    }
    for game, opponent, name in met.filter(game__in=ruled).values_list("game", "player", "player__username"):
        ranks = ruled[game].ranks
        if opponent in ranks and player.pk in ranks and 1 in ranks.values():
            known = sums.get(opponent, Encounter(name, 0, 0, 0))
            ahead, behind = ranks[player.pk] < ranks[opponent], ranks[player.pk] > ranks[opponent]
            sums[opponent] = Encounter(name, known.played + 1, known.ahead + ahead, known.behind + behind)
    most_first = sorted(sums.items(), key=lambda row: (-row[1].played, row[0]))
    return [encounter for _pk, encounter in most_first[:MOST_OPPONENTS]]


def _findable(visitor: Visitor) -> Q:
    """Return a condition on seats: in games that *visitor* may find, public ones and their own."""
    return Q(game__visibility=Visibility.PUBLIC) | access.build_own_table_filter(visitor, "game")


def _record_of(player: Player, visitor: Visitor, ruled: Ruled) -> PlayerRecord:
    """The results of *player*; games that contests have *ruled* on count as ruled, once they are decided."""
    over = Seat.objects.filter(
        _findable(visitor), player=player, ended__isnull=False, game__status=Status.FINISHED
    ).order_by()
    kinds = "game__places", "game__rule_set__sets"
    counted = (
        over.exclude(game__in=ruled)
        .values_list(*kinds)
        .annotate(
            played=Count("pk"),
            won=Count("pk", filter=Q(result=Result.WON)),
            shared=Count("pk", filter=Q(result=Result.SHARED)),
        )
    )
    sums: dict[str | int, tuple[int, int, int]] = {}
    rows = [(places, sets, numbers) for places, sets, *numbers in counted]
    for game, places, sets in over.filter(game__in=ruled).values_list("game", *kinds):
        result = ruled[game].get_result(player.pk)
        if result is not None:
            rows.append((places, sets, [1, int(result == Result.WON), int(result == Result.SHARED)]))
    for places, sets, numbers in rows:
        for kind in (places, *_kinds(sets)):
            played, won, shared = map(add, sums.get(kind, (0, 0, 0)), numbers)
            sums[kind] = played, won, shared
    seats = range(2, MAX_SEATS + 1)
    return PlayerRecord(
        [ResultTally(kind, *sums[kind]) for kind in seats if kind in sums],
        [ResultTally(kind, *sums[kind]) for kind in rule_sets.SETS if kind in sums],
    )


def _kinds(sets: Sequence[str]) -> Sequence[str]:
    return [name for name in sets if name != BASE] or [BASE]
