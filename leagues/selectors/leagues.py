"""Leagues, their seasons, divisions and organisers, with fixed numbers of queries."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import Player
from accounts.references import show_rows
from games.access import Visitor
from leagues.models import (
    Announcement,
    Division,
    Entry,
    EntryState,
    Fixture,
    Kind,
    League,
    LogEntry,
    Match,
    MatchSeat,
    OrganiserRequest,
    Phase,
    PrivateReason,
    Season,
    Seed,
    Team,
    Waiting,
)
from leagues.words.log import list_people

ALIVE = (Phase.REGISTRATION, Phase.RUNNING)
AnyContender = TypeVar("AnyContender", Entry, Team)
KNOCK_OUT_FIRST = Case(When(kind=Kind.KNOCK_OUT, then=0), default=1)


def annotate_player_count(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Annotate *seasons* with the number of their ``players``, computed only for the rows that are read."""
    there = Entry.objects.filter(season=OuterRef("pk")).exclude(state=EntryState.WITHDRAWN)
    number = there.order_by().values("season").annotate(n=Count("pk")).values("n")
    return seasons.annotate(players=Coalesce(Subquery(number), 0))


def find_leagues(searched: str = "") -> QuerySet[League]:
    """Return all leagues, or those with *searched* in their name: those open for registration first, then
    running ones, each by the next date; then the others by name."""
    alive = Season.objects.filter(league=OuterRef("pk"), phase__in=ALIVE)
    due = Case(When(phase=Phase.REGISTRATION, then=F("begins")), default=F("ends"))
    found = League.objects.annotate(
        phase=Coalesce(Subquery(alive.values("phase")[:1]), Value("")),
        due=Subquery(alive.annotate(due=due).values("due")[:1]),
    )
    if searched:
        found = found.filter(name__icontains=searched)
    order = Case(When(phase=Phase.REGISTRATION, then=0), When(phase=Phase.RUNNING, then=1), default=2)
    return found.order_by(order, "due", "name", "pk")


def load_current_seasons(leagues: Iterable[League]) -> dict[int, Season]:
    """Return the open or running season of each of *leagues*, by the league's primary key."""
    alive = annotate_player_count(Season.objects.filter(league__in=leagues, phase__in=ALIVE)).select_related(
        "league"
    )
    return {season.league_id: season for season in alive}


def load_with_founder(visitor: Visitor) -> QuerySet[League]:
    """Return all leagues with their founders, annotated with whether *visitor* is a named organiser
    (``organised``)."""
    named = League.organisers.through.objects.filter(league=OuterRef("pk"), player=visitor.pk)
    return League.objects.select_related("founder").annotate(organised=Exists(named))


def load_latest_seasons(league: League, most: int) -> list[Season]:
    """Return at *most* this many of the latest seasons of *league*; the first of them may be open or run."""
    return list(annotate_player_count(league.seasons.order_by("-number")).select_related("league")[:most])


def load_registered(season: Season) -> QuerySet[Entry]:
    """Return the entries of *season* that have not withdrawn, in order of registration."""
    there = season.entries.exclude(state=EntryState.WITHDRAWN)
    return there.select_related("player").order_by("registered", "pk")


def find_own_entry(season: Season, visitor: Visitor) -> Entry | None:
    """Return the entry of *visitor*, even if withdrawn."""
    if not visitor.is_authenticated:
        return None
    return season.entries.filter(player=visitor.pk).first()


def load_tables(season: Season) -> QuerySet[Division]:
    """Return the divisions of *season*, the highest first, with their entries or teams as ``table``; before
    them a knock-out with its seeds as ``bracket``."""
    order = ("row", "order", "pk")
    ranked = season.contenders.find_ranked().order_by(*order)
    rows = Prefetch(season.contenders.related, ranked, to_attr="table")
    divisions = season.divisions.order_by(KNOCK_OUT_FIRST, "level")
    return divisions.prefetch_related(rows, Prefetch("seeds", _find_seeds(), to_attr="bracket"))


def load_seeds(division: Division) -> list[Seed]:
    """Return the seeds of the knock-out *division*, in order of rank."""
    return connect_seeds(division, _find_seeds().filter(division=division))


def _find_seeds() -> QuerySet[Seed]:
    """All seeds, with the number of those that ``share`` their rank."""
    share = Window(Count("pk"), partition_by=[F("division"), F("rank")])
    return Seed.objects.select_related("player", "team").annotate(share=share).order_by("rank", "number")


def connect_seeds(division: Division, seeds: Iterable[Seed]) -> list[Seed]:
    """Let the *seeds* of *division*, and teams among them, know it and its season, without queries."""
    rows = list(seeds)
    for seed in rows:
        seed.division = division
        if seed.team is not None:
            seed.team.season = division.season
    return rows


def connect_table(division: Division, contenders: Iterable[AnyContender]) -> list[AnyContender]:
    """Return the *contenders* in the table of *division*, in its order; not those who have left a ladder.
    They know their season, who is ``behind`` them, and the names in rulings: one query."""
    there = []
    for one in contenders:
        one.season = division.season
        if one.row is not None:
            there.append(one)
    of_holder = {one.holder: one for one in there}
    for one in there:
        one.behind = of_holder.get(int(one.explained["ahead_of"])) if one.explained else None
    for ruling in show_rows(one.penalty_ruling for one in there if one.penalty):
        ruling.league = division.season.league
    return there


def load_table(division: Division) -> list[Entry]:
    """The entries of *division* in the order of its table."""
    rows = division.entries.select_related("player", "penalty_ruling")
    return list(rows.order_by("row", "order", "pk"))


def load_settled_games(division: Division) -> list[Fixture]:
    """The games of *division* whose result counts, with their matches."""
    there = Fixture.objects.filter(match__division=division, settled__isnull=False)
    return list(there.select_related("match").order_by("pk"))


def load_matches(division: Division, round: int) -> QuerySet[Match]:
    """The matches of a *round* of *division* with their players and games."""
    return load_all_matches(division).filter(round=round)


def load_all_matches(division: Division) -> QuerySet[Match]:
    """The matches of all rounds of *division* with their players and games."""
    fixtures = Fixture.objects.select_related("game").order_by("number")
    seats = MatchSeat.objects.select_related("player").order_by("index")
    matches = division.matches.order_by("round", "number")
    return matches.prefetch_related(Prefetch("seats", seats), Prefetch("fixtures", fixtures))


def load_challenge_matches(division: Division, latest: int) -> list[Match]:
    """The matches of the challenges of a ladder: all that are open, and the *latest* that have ended, those
    first."""
    ended = division.challenges.filter(ended__isnull=False).order_by("-ended", "-pk")
    shown = Q(challenge__ended=None) | Q(challenge__in=ended[:latest])
    matches = load_all_matches(division).select_related("challenge", "division__season__league").filter(shown)
    return list(matches.order_by(F("challenge__ended").desc(nulls_first=True), "challenge__made", "pk"))


def load_fixtures_of(games: Collection[int]) -> QuerySet[Fixture]:
    """The fixtures of *games*, by primary key, with all that says where in their league they are."""
    related = ("game", "settled_by", "ruling", "match__division__season__league")
    board = "match__at_board__board__team_match"
    teams = (f"{board}__first", f"{board}__second", f"{board}__division")
    return Fixture.objects.filter(game__in=games).select_related(*related, *teams)


def load_log(league: League) -> QuerySet[LogEntry]:
    """Return the log of *league*, the latest entries first."""
    return league.log.select_related("who", "season").order_by("-at", "-pk")


def count_later_log_entries(league: League, key: int) -> int:
    """Count the entries of the log of *league* after the one with this primary *key*; 0 if there is none."""
    entry = league.log.filter(pk=key).first()
    if entry is None:
        return 0
    return league.log.filter(Q(at__gt=entry.at) | Q(at=entry.at, pk__gt=entry.pk)).count()


def read_log(entries: Iterable[LogEntry], *, private: bool = False) -> list[LogEntry]:
    """Return *entries* of a log with names in their texts and details; with the *private* reasons for
    organisers."""
    rows = show_rows(entries)
    names = load_names({player for entry in rows for player in list_people(entry.details)})
    for entry in rows:
        entry.names = names
    if private:
        of_entry = {entry.pk: entry for entry in rows}
        for reason in show_rows(PrivateReason.objects.filter(entry__in=of_entry)):
            of_entry[reason.entry_id].private_reason = reason.text
    return rows


def load_fixture_players(fixture: Fixture) -> list[Player]:
    """Return the players of *fixture* in order of seats."""
    seats = MatchSeat.objects.filter(match=fixture.match_id).select_related("player").order_by("index")
    return [seat.player for seat in seats]


def load_announcements(league: League) -> QuerySet[Announcement]:
    """Return the announcements of *league*, the latest first."""
    return league.announcements.select_related("who").order_by("-at", "-pk")


def load_open_requests(league: League) -> QuerySet[OrganiserRequest]:
    """Return the requests to *league* without an answer, the oldest first."""
    return league.requests.filter(answered=None).select_related("player").order_by("asked", "pk")


def load_own_requests(league: League, player: Player) -> QuerySet[OrganiserRequest]:
    """Return the requests of *player* to *league*, the latest first."""
    return (
        league.requests.filter(player=player)
        .select_related("player", "answered_by")
        .order_by("-asked", "-pk")
    )


def find_latest_announcement(league: League) -> Announcement | None:
    last = load_announcements(league).first()
    return show_rows([last])[0] if last is not None else None


def load_organisers(league: League) -> QuerySet[Player]:
    """Return the acting organisers of *league*, by name."""
    return league.find_acting_organisers(timezone.now()).order_by("username")


def find_waiting_place(season: Season, visitor: Visitor) -> tuple[Waiting, int] | None:
    """Return the row of *visitor* on the waiting list of *season*, and its place from 1."""
    if not visitor.is_authenticated:
        return None
    waiting = list(season.waiting.order_by("since", "pk"))
    return next(((one, at) for at, one in enumerate(waiting, 1) if one.player_id == visitor.pk), None)


def load_names(players: Collection[int]) -> dict[int, str]:
    """The names of *players*, by primary key."""
    return {player.pk: str(player) for player in Player.objects.filter(pk__in=players)}


def load_byes(division: Division) -> list[tuple[int, int]]:
    """Return the byes of *division*: round and primary key of the player."""
    return list(division.byes.order_by("round", "pk").values_list("round", "player"))


def load_pairings(division: Division) -> dict[int, tuple[int, list[int]]]:
    """Return the matches of *division* by primary key: the round, and the players in order of seats."""
    seats = MatchSeat.objects.filter(match__division=division).order_by("match", "index")
    found: dict[int, tuple[int, list[int]]] = {}
    for match, round, player in seats.values_list("match", "match__round", "player"):
        found.setdefault(match, (round, []))[1].append(player)
    return found
