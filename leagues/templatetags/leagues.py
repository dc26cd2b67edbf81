"""Filters for rows of leagues."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _

from games.words.grammar import format_ordinal
from games.words.times import format_when
from leagues.models import (
    Challenge,
    Entry,
    Fixture,
    LogEntry,
    Match,
    MatchSeat,
    Season,
    Seed,
    Team,
    TeamMatch,
)
from leagues.selectors.archive import Won
from leagues.selectors.protests import ResultNotes
from leagues.selectors.verdicts import build_verdict
from leagues.settings import LeagueSettings
from leagues.words import criteria, teams
from leagues.words.challenges import describe_ended_challenge, describe_open_challenge, describe_refusal
from leagues.words.criteria import (
    explain_rank,
    format_move,
    format_number,
    format_result,
    format_signed_tenths,
    format_tenths,
    name_result,
)
from leagues.words.desk import MATTERS
from leagues.words.log import describe_act, describe_change
from leagues.words.outlook import describe_outlook, summarise_outlook
from leagues.words.protests import describe_protest_time
from leagues.words.results import describe_result, name_seat
from leagues.words.rounds import (
    describe_place,
    describe_progress,
    format_rank,
    format_round,
    name_calendar_round,
)
from leagues.words.settings_text import list_facts, summarise_settings

register = template.Library()
register.filter("calendar_name", name_calendar_round)
register.filter("matter", lambda kind: MATTERS[kind])
register.filter("knock_out_round", format_round)
register.filter("knock_out_rank", format_rank)
register.filter("refusal", describe_refusal)
register.filter("seat_name", name_seat)
register.filter("tenths", format_tenths)
register.filter("signed_tenths", format_signed_tenths)
register.filter("describe_outlook", describe_outlook)
register.filter("facts", list_facts)
register.filter("halves", format_number)
register.filter("opponent_of", TeamMatch.opponent_of)
register.filter("opponents_of", Match.name_opponents)
register.filter("summarise_outlook", summarise_outlook)
register.filter("summarise_settings", summarise_settings)


@register.filter("describe_result")
def describe_result_or_wait(fixture: Fixture, names: Mapping[int, str]) -> str:
    """Describe the result of *fixture*, or until when organisers decide it."""
    if not fixture.is_undecided:
        return describe_result(fixture, names)
    verdict = build_verdict(fixture, names, timezone.now())
    return describe_result(fixture, names) if verdict is None else verdict.label


@register.filter
def protest_time(notes: ResultNotes) -> str:
    """Describe the protest time that *notes* are of, which runs, and what follows it."""
    assert notes.ends is not None
    return describe_protest_time(notes.following, notes.over, format_when(notes.ends))


@register.filter
def place(rank: int | None) -> str:
    """Format *rank*; a dash for a contender who has none yet."""
    return format_ordinal(rank) if rank else "–"


@register.filter
def move(contender: Entry | Team) -> str:
    """Describe whether *contender* moves to another division."""
    return format_move(contender.moves, final=contender.season.moves_final is not None)


@register.filter
def result(contender: Entry | Team | Won) -> str:
    """Format the number that orders the table of *contender*."""
    return format_result(contender.points, contender.values, contender.season.settings.standings)


@register.filter
def result_name(season: Season) -> str:
    """Name what orders the tables of *season*."""
    return name_result(season.settings.standings)


@register.filter
def seats_with_wins(match: Match) -> list[tuple[MatchSeat, Fraction | str]]:
    """Return the seats of *match*, each with the number of games won in a duel."""
    wins = match.wins
    return [(seat, wins.get(seat.player_id, "")) for seat in match.seats.all()]


@register.filter
def why(row: Entry | Team | Seed) -> str:
    """Explain the rank of *row* in its table: by the next one, or by how far it came."""
    if isinstance(row, Seed):
        share: int = row.share  # type: ignore[attr-defined]
        season = row.division.season
        pending = season.plays_for_third_place and share > 1
        return describe_progress(row.rank, share, pending=pending, over=season.is_over)
    names = teams.NAMES if isinstance(row, Team) else criteria.NAMES
    behind: Any = row.behind
    return explain_rank(row.explained, behind.name, names) if behind is not None else ""


@register.filter
def have_outlooks(rows: Sequence[Entry | Team | Seed], running: bool) -> bool:
    """Return whether anybody's outlook in a table is known, in a season that is still *running*."""
    return running and any(isinstance(row, Entry) and row.outlook for row in rows)


@register.filter
def withdrawing(season: Season) -> str:
    """Describe the effects of withdrawing from *season*."""
    return season.contenders.describe_withdrawing(season.settings)


@register.filter
def act(entry: LogEntry) -> str:
    """Describe the act of *entry*."""
    return describe_act(entry.act, entry.details)


@register.filter
def change(entry: LogEntry) -> str:
    """Describe the values before and after *entry*, which was read with names."""
    return describe_change(entry.act, entry.details, entry.names or {})


@register.filter
def course(challenge: Challenge) -> str:
    """Describe how far *challenge* is, or how it ended."""
    challenger, challenged = str(challenge.challenger), str(challenge.challenged)
    if challenge.ended is None:
        return describe_open_challenge(challenger, challenged)
    won = challenge.match.winner_id == challenge.challenger_id
    return describe_ended_challenge(challenger, challenged, won=won, declined=challenge.declined)


@register.filter
def progress(seed: Seed) -> str:
    """Describe the progress of *seed*, loaded by ``memberships.find_seed``."""
    share: int = seed.share  # type: ignore[attr-defined]
    season = seed.division.season
    return describe_place(seed.rank, share, third_place=season.plays_for_third_place, over=season.is_over)


@register.filter
def places(team: Team) -> list[str]:
    """Describe the places of *team*, loaded by ``load_teams_with_places``, in its division and in the
    knock-out."""
    if team.rank is None or team.division is None:
        return []
    told = []
    if team.division.format.in_tables:
        rank = format_ordinal(team.rank)
        told.append(_("{division}, {rank}").format(division=team.division.name, rank=rank))
    came: int | None = team.came_so_far  # type: ignore[attr-defined]
    if came is not None:
        share: int = team.share  # type: ignore[attr-defined]
        season = team.season
        far = describe_place(came, share, third_place=season.plays_for_third_place, over=season.is_over)
        name = _("Knock-out") if told else team.division.name
        told.append(_("{bracket}: {how_far}").format(bracket=name, how_far=far))
    return told


@register.filter
def describe_setting(settings: LeagueSettings, name: str) -> str:
    """Return the sentence about the setting of this *name*."""
    return settings.describe(name)
