"""Extensions of seasons, rounds, matches and games, and of every end that depends on them (STAND-16).

A plan lists the changes without making any; organisers see it before they confirm.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from django.db import transaction
from django.db.models import DateTimeField, F, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from accounts.models import Player
from games import play
from games.conduct import contacts
from games.models import Status
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.seasons import Extended
from leagues.models import (
    Division,
    EntryState,
    Fixture,
    Kind,
    LogEntry,
    Match,
    MatchSeat,
    Phase,
    Season,
    TeamMatch,
)
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import Matter, build_season_matter, check_own_matter
from leagues.seasons.teams.squads import load_squad
from leagues.settings import LONGEST_SEASON


class PartKind(StrEnum):
    """Kinds of season part that can be extended."""

    SEASON = "season"
    ROUND = "round"  # the last one drawn of a division, or all rounds of a group
    TEAM_MATCH = "teams"
    MATCH = "match"  # with its game: a challenge, a board


class SeasonPart(NamedTuple):
    """The part to extend: a season, or the division, match of teams or match with this primary key."""

    kind: PartKind
    key: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.key}"

    @classmethod
    def parse(cls, written: str) -> SeasonPart:
        """Read what ``str`` wrote.

        >>> SeasonPart.parse("round-7")
        SeasonPart(kind=<PartKind.ROUND: 'round'>, key=7)
        """
        kind, _dash, key = written.partition("-")
        return cls(PartKind(kind), int(key))


WHOLE_SEASON = SeasonPart(PartKind.SEASON)


class EndMove(NamedTuple):
    """A new end: of the season, where there is no division, or of matches of a round that end together; those
    of a group have no round."""

    division: Division | None
    round: int
    before: datetime
    after: datetime


@dataclass(frozen=True, slots=True)
class ExtensionPlan:
    """All dates that an extension moves, the requested one first."""

    season: Season
    part: SeasonPart
    by: timedelta
    moves: tuple[EndMove, ...]

    @property
    def version(self) -> str:
        """Digest of the dates; a different one means that they have changed since the preview."""
        dates = [(move.division and move.division.pk, *move[1:]) for move in self.moves]
        return hashlib.sha256(repr((str(self.part), dates)).encode()).hexdigest()[:16]

    @property
    def season_ends(self) -> datetime:
        return next((move.after for move in self.moves if move.division is None), self.season.ends)

    def move(self, ends: datetime | None) -> datetime:
        """Return the new end of a match of the part that ended at *ends*, or with the season."""
        return (ends or self.season.ends) + self.by


@transaction.atomic
def extend(
    *,
    season_id: int,
    by: timedelta,
    who: Player,
    reason: str,
    now: datetime,
    part: SeasonPart = WHOLE_SEASON,
    version: str | None = None,
) -> None:
    """Extend *part* of a season, with its games and the rounds that wait for it (STAND-16).

    :param version: of the plan that was previewed, if one was
    :raises LeagueRefused: *who* may not, also in own matters (STAND-18), the season is over, that is too
        long, or dates have moved since
    :raises TooMany: *who* has moved too many ends today
    """
    lock_players(who)
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    plan = plan_extension(season, part, by, now)
    if version is not None and version != plan.version:
        raise LeagueRefused("stale")
    told = find_players(plan)
    own_matter = check_extending(plan, who, now)
    act, players, group = _list_contacts(plan)
    contacts.record_contacts(act, who, players, now=now, group=group)
    games = [(game, plan.move(ends)) for game, ends in list_games(plan)]
    _write(plan)
    moved = sum(play.extend(game_id=game, ends=ends, now=now) for game, ends in games)
    log = _note(plan, who, why, moved, now, own_matter)
    Extended.tell(season, told, log)


def check_extending(plan: ExtensionPlan, who: Player, now: datetime) -> bool:
    """Return whether *who*, who may carry out *plan*, decides in own matters.

    :raises LeagueRefused: another organiser has to decide
    :raises TooMany: *who* has moved too many ends today
    """
    own_matter = check_own_matter(plan.season.league, who, _build_matter(plan))
    act, players, group = _list_contacts(plan)
    contacts.check_contacts(act, who, players, now=now, group=group)
    return own_matter


def plan_extension(season: Season, part: SeasonPart, by: timedelta, now: datetime) -> ExtensionPlan:
    """Return what would move if *part* of *season* were extended *by* so much; changes nothing.

    :raises LeagueRefused: the season is over, that is too long or not later, or nothing is left to extend
    """
    if season.phase not in (Phase.REGISTRATION, Phase.RUNNING):
        raise LeagueRefused("over")
    if by <= timedelta():
        raise LeagueRefused("not_later")
    whole = part.kind == PartKind.SEASON
    moves = list(_list_moves(season, part, by))
    if whole:
        moves.insert(0, EndMove(None, 0, season.ends, season.ends + by))
    elif not moves or max(move.before for move in moves) <= now:
        raise LeagueRefused("nothing_to_extend")
    elif (ends := _move_season(season, part, moves, by)) > season.ends:
        moves.append(EndMove(None, 0, season.ends, ends))
    if whole and season.ends + by <= now:
        raise LeagueRefused("not_later")
    if max(move.after for move in moves) > season.begins + LONGEST_SEASON:
        raise LeagueRefused("too_long")
    return ExtensionPlan(season, part, by, tuple(moves))


def list_games(plan: ExtensionPlan) -> list[tuple[int, datetime | None]]:
    """Return the primary keys of the games to extend, in order, each with the end of its match."""
    matches = _find_matches(plan.season, plan.part)
    games = Fixture.objects.filter(match__in=matches, game__status=Status.PLAYING)
    return list(games.order_by("game").values_list("game", "match__ends"))


def has_rounds_with_ends(division: Division) -> bool:
    """Return whether rounds of *division* have ends of their own: in Swiss divisions, knock-outs and
    groups."""
    return division.format.rounds_have_ends


def is_group(division: Division) -> bool:
    """Return whether *division* is a group, all rounds of which end together."""
    return division.format.rounds_end_together


def get_last_round(division: Division) -> int:
    """Return the number of the last round that is drawn; in a knock-out of teams it may not have begun."""
    return division.format.get_last_round(division)


def _find_matches(season: Season, part: SeasonPart) -> QuerySet[Match]:
    """The matches to extend; of a season those that end with it. Rounds and challenges with ends of their own
    keep theirs."""
    undecided = Match.objects.filter(division__season=season, decided=None)
    if part.kind == PartKind.SEASON:
        with_season = Q(ends=None) | Q(ends__gte=season.ends)
        return undecided.exclude(division__kind=Kind.LADDER).filter(with_season)
    if part.kind == PartKind.ROUND:
        return undecided.filter(_is_of_round(season, part.key))
    if part.kind == PartKind.TEAM_MATCH:
        return undecided.filter(at_board__board__team_match=part.key)
    return undecided.filter(pk=part.key)


def _find_team_matches(season: Season, part: SeasonPart) -> QuerySet[TeamMatch]:
    """The team matches to extend, begun or not; none for a single board, which has its own time."""
    matches = TeamMatch.objects.filter(division__season=season)
    if part.kind == PartKind.SEASON:
        return matches.filter(Q(ends=None) | Q(ends__gte=season.ends))
    if part.kind == PartKind.ROUND:
        return matches.filter(_is_of_round(season, part.key))
    return matches.filter(pk=part.key) if part.kind == PartKind.TEAM_MATCH else matches.none()


def _is_of_round(season: Season, key: int) -> Q:
    division = season.divisions.filter(pk=key).select_related("season").first()
    if division is None or not has_rounds_with_ends(division):
        return Q(pk=None)
    if is_group(division):
        return Q(division=division)
    return Q(division=division, round=get_last_round(division))


def _list_moves(season: Season, part: SeasonPart, by: timedelta) -> Iterator[EndMove]:
    """The new ends of matches; of a season only for matches with ends of their own."""
    matches, meetings = _find_matches(season, part), _find_team_matches(season, part)
    if part.kind == PartKind.SEASON:
        matches, meetings = matches.exclude(ends=None), meetings.exclude(ends=None)
    elif not matches.exists():  # all boards are decided, or have not begun
        meetings = meetings.filter(boards=None)
    divisions = season.divisions.select_related("season__league").in_bulk()
    places = (rows.values_list("division", "round", "ends") for rows in (matches, meetings))
    found = {
        (key, 0 if is_group(divisions[key]) else round, ends or season.ends)
        for key, round, ends in chain(*places)
    }
    for key, round, before in sorted(found):
        yield EndMove(divisions[key], round, before, before + by)


def _move_season(season: Season, part: SeasonPart, moves: list[EndMove], by: timedelta) -> datetime:
    """Return when *season* ends if these ends of a part of it move: rounds that wait for that part keep their
    length, and a last round takes the season with it. A single match may outlast its season."""
    division = moves[0].division
    assert division is not None
    waiting = has_rounds_with_ends(division) and get_last_round(division) < division.rounds
    waiting = waiting and division.ended_early_id is None
    if waiting or division.format.waits_for_finals(season):
        return season.ends + by
    last = max(move.after for move in moves)
    return max(season.ends, last) if part.kind == PartKind.ROUND else season.ends


def find_players(plan: ExtensionPlan) -> dict[datetime, list[Player]]:
    """Return the players to notify, by their new end, the nearest first.

    These are the players of the matches that move, or of their teams; all on a ladder that ends later; and
    before the beginning everybody who has registered.
    """
    if plan.season.phase == Phase.REGISTRATION:
        registered = plan.season.entries.exclude(state=EntryState.WITHDRAWN).values("player")
        return {plan.season_ends: list(Player.objects.filter(pk__in=registered, is_active=True))}
    nearest: dict[int, datetime] = {}
    for key, ends in chain(_list_seats(plan), _list_team_mates(plan), _list_ladder(plan)):
        nearest[key] = min(nearest.get(key, plan.move(ends)), plan.move(ends))
    told: dict[datetime, list[Player]] = {ends: [] for ends in sorted(set(nearest.values()))}
    for player in Player.objects.filter(pk__in=nearest, is_active=True):
        told[nearest[player.pk]].append(player)
    return told


def _list_seats(plan: ExtensionPlan) -> Iterable[tuple[int, datetime | None]]:
    seats = MatchSeat.objects.filter(match__in=_find_matches(plan.season, plan.part))
    return seats.values_list("player", "match__ends")


def _list_team_mates(plan: ExtensionPlan) -> Iterable[tuple[int, datetime | None]]:
    """The players of teams whose match has not begun: their captains choose among them."""
    matches = _find_team_matches(plan.season, plan.part).filter(boards=None)
    for match in matches.select_related("first", "second"):
        for team in (match.first, match.second):
            for player in load_squad(team):
                yield player.pk, match.ends


def _list_ladder(plan: ExtensionPlan) -> Iterable[tuple[int, datetime | None]]:
    if plan.part.kind != PartKind.SEASON or not plan.season.format.has_challenges:
        return ()
    there = plan.season.entries.filter(state=EntryState.PLAYING)
    return ((player, None) for player in there.values_list("player", flat=True))


def _list_contacts(plan: ExtensionPlan) -> tuple[str, list[Player | None], str]:
    """Return the act that is limited, the players to notify, and the group whom a season's end concerns."""
    if plan.part.kind == PartKind.SEASON:
        return limits.CHANGE_SEASON, [None], limits.format_league_group(plan.season.league_id)
    return limits.EXTEND, [player for each in find_players(plan).values() for player in each], ""


def _write(plan: ExtensionPlan) -> None:
    """Store the new ends and have players warned of them again. Matches that end with their season still
    do."""
    season = plan.season
    matches, meetings = _find_matches(season, plan.part), _find_team_matches(season, plan.part)
    matches.update(warned=False)
    if plan.part.kind == PartKind.SEASON:
        matches, meetings = matches.exclude(ends=None), meetings.exclude(ends=None)
    later = Coalesce(F("ends"), Value(season.ends, DateTimeField())) + plan.by
    matches.update(ends=later)
    meetings.update(ends=later)
    season.ends = plan.season_ends
    season.save(update_fields=["ends"])


def _build_matter(plan: ExtensionPlan) -> Matter:
    """The matter decided by an extension: all that is left to play of the part."""
    if plan.part.kind == PartKind.SEASON:
        return build_season_matter(plan.season)
    divisions = [move.division for move in plan.moves if move.division is not None]
    matches = _find_matches(plan.season, plan.part)
    return Matter(divisions, matches, team_matches=_find_team_matches(plan.season, plan.part))


def _note(
    plan: ExtensionPlan, who: Player, reason: str, games: int, now: datetime, own_matter: bool
) -> LogEntry:
    first = plan.moves[0]
    place: dict[str, object] = {}
    if first.division is not None:
        place = {"division": first.division.level, "round": first.round}
    if plan.part.kind == PartKind.MATCH:
        seats = MatchSeat.objects.filter(match=plan.part.key).order_by("index")
        place["opponents"] = list(seats.values_list("player", flat=True))
    return write_log_entry(
        plan.season.league,
        "extend",
        who=who,
        season=plan.season,
        now=now,
        reason=reason,
        part=plan.part.kind.value,
        before=first.before.isoformat(),
        after=first.after.isoformat(),
        games=games,
        own_matter=own_matter,
        **place,
    )
