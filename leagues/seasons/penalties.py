"""Penalty points of players and teams, set by organisers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Player
from games.conduct import contacts
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.players import PenaltySet
from leagues.models import Division, Entry, Match, Phase, Season, Team
from leagues.seasons.closing import update_moves
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_division
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import Matter, check_own_matter
from leagues.seasons.settling import lock_season_of_result
from leagues.seasons.tables import load_results, update_standings
from leagues.seasons.teams.squads import load_squad
from leagues.seasons.teams.tables import load_matches_with_games, load_team_results
from leagues.standings import TableStanding
from leagues.standings.ranking import rank_results

MOST_PENALTY = 99
"""Maximum number of penalty points."""

PENALTY_STEP = Decimal("0.5")
"""Step of penalty points. Points are shared at larger tables, so halves can be taken."""


@transaction.atomic
def set_penalty(
    *, contender: Entry | Team, points: Decimal, who: Player, reason: str, now: datetime
) -> Entry | Team:
    """Set the penalty *points* of the player or team *contender*, also after the season; 0 lifts them.

    The table is updated. Draws that rested on it stand, and so do promotions on which a season has begun
    (STAND-17).

    :raises LeagueRefused: *who* may not, gains by it, or gives no reason; or the points are invalid
    :raises TooMany: *who* has decided much about players today
    """
    lock_players(who)
    season = lock_season_of_result(contender.season_id)
    why = check_organiser(season.league, who, reason)
    if contender.division_id is None:
        raise LeagueRefused("not_running")
    division = lock_division(contender.division_id)
    rows = type(contender).objects.select_related("season__league", "division__season__league")
    contender = rows.get(pk=contender.pk)
    check_penalty(contender, points)
    own_matter = check_own_matter(season.league, who, build_penalty_matter(contender))
    told = [player for player in _list_told(contender) if player != who]
    contacts.record_contacts(limits.SETTLE, who, told, now=now)
    before, contender.penalty = contender.penalty, points
    about = {"player": contender.player_id} if isinstance(contender, Entry) else {"team": contender.name}
    contender.penalty_ruling = log = write_log_entry(
        season.league,
        "penalty",
        who=who,
        season=season,
        now=now,
        reason=why,
        division=division.level,
        before=str(Fraction(before)),
        after=str(Fraction(points)),
        late=has_table_counted(division),
        own_matter=own_matter,
        **about,
    )
    contender.save(update_fields=["penalty", "penalty_ruling"])
    division.penalised = now
    division.save(update_fields=["penalised"])
    update_standings(division)
    if season.phase == Phase.CLOSED:
        update_moves(season)
    PenaltySet.tell(division, told, log)
    return contender


def find_table(contender: Entry | Team) -> Division:
    """The division in whose table *contender* has points.

    :raises LeagueRefused: there is none, as in a knock-out, or its season has not begun
    """
    season: Season = contender.season
    division: Division | None = contender.division
    if season.phase not in (Phase.RUNNING, Phase.CLOSED) or division is None:
        raise LeagueRefused("not_running")
    if not isinstance(contender, season.contenders.model) or not division.counts_points:
        raise LeagueRefused("no_points")
    return division


def list_punishable(season: Season) -> QuerySet[Entry] | QuerySet[Team]:
    """Return the contenders of *season* that have points: teams where they play, else players.

    :raises LeagueRefused: it has no table, or has not begun
    """
    if season.phase not in (Phase.RUNNING, Phase.CLOSED):
        raise LeagueRefused("not_running")
    if not season.settings.counts_points:
        raise LeagueRefused("no_points")
    rows = season.contenders.find_in_tables(season)
    return rows.select_related("season__league", "division__season__league")


def check_penalty(contender: Entry | Team, points: Decimal) -> None:
    """Validate a change of the penalty of *contender* to these *points*.

    :raises LeagueRefused: the number is invalid, or the same as now
    """
    if not 0 <= points <= MOST_PENALTY or points % PENALTY_STEP:
        raise LeagueRefused("penalty", most=MOST_PENALTY)
    if points == contender.penalty:
        raise LeagueRefused("same_penalty")


def build_penalty_matter(contender: Entry | Team) -> Matter:
    """Return the matter of setting the penalty points of *contender*."""
    if isinstance(contender, Entry):
        players = {contender.player_id}
    else:
        members = contender.members.filter(joined__isnull=False)
        players = set(members.values_list("player", flat=True))
    return Matter([find_table(contender)], Match.objects.none(), players)


def _list_told(contender: Entry | Team) -> list[Player]:
    return [contender.player] if isinstance(contender, Entry) else load_squad(contender)


def has_table_counted(division: Division) -> bool:
    """Return whether draws or moves have followed from the table of *division* and stand (STAND-17)."""
    return (
        division.format.has_drawn_by_table(division)
        or division.finished is not None
        or division.season.phase == Phase.CLOSED
    )


def preview_penalty(contender: Entry | Team, points: Decimal) -> list[TableStanding]:
    """Return the table as it would be with these penalty *points* of *contender*; nothing is stored."""
    division = find_table(contender)
    if isinstance(contender, Entry):
        key, results = contender.player_id, load_results(division)
    else:
        key, results = contender.pk, load_team_results(division, load_matches_with_games(division))
    entrants = [replace(one, penalty=Fraction(points)) if one.id == key else one for one in results.entrants]
    return rank_results(replace(results, entrants=entrants))
