"""Ending a competition before its last round, where that would be drawn too late (STAND-20)."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from accounts.models import Player
from games.play.locks import lock_players
from leagues import limits
from leagues.exceptions import LeagueRefused
from leagues.mails.seasons import EndedEarly
from leagues.models import Division, LogEntry, Phase, Season
from leagues.seasons import organising
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_season
from leagues.seasons.organisers import check_organiser
from leagues.seasons.own_matters import build_season_matter, check_own_matter
from leagues.seasons.round_times import LateRound, list_late_rounds


class EarlyEnd(NamedTuple):
    """The rounds that will not be drawn, the next one of each division, and whether who ends them decides in
    own matters."""

    late: list[LateRound]
    own_matter: bool


@transaction.atomic
def end_early(*, season_id: int, who: Player, reason: str, now: datetime) -> LogEntry:
    """Draw no further round where the next one would come too late. What is drawn is played to its end, and
    places are those of the tables then.

    :raises LeagueRefused: *who* may not, also in own matters (STAND-18), or no round is late
    :raises TooMany: the season was changed several times today
    """
    lock_players(who)
    season = lock_season(season_id)
    why = check_organiser(season.league, who, reason)
    end = check_early_end(season, who, now)
    organising.count_for_all(limits.CHANGE_SEASON, season.league, who, now)
    log = write_log_entry(
        season.league,
        "end_early",
        who=who,
        season=season,
        now=now,
        reason=why,
        rounds=[[late.division.level, late.division.drawn] for late in end.late],
        own_matter=end.own_matter,
    )
    Division.objects.filter(pk__in=[late.division.pk for late in end.late]).update(ended_early=log)
    EndedEarly.tell(season, log)
    return log


def check_early_end(season: Season, who: Player, now: datetime) -> EarlyEnd:
    """Return what ends if *who* ends *season* early.

    :raises LeagueRefused: no round is late, or another organiser has to decide
    :raises TooMany: the season was changed several times today
    """
    if season.phase != Phase.RUNNING:
        raise LeagueRefused("not_running")
    late = list(list_late_rounds(season, now))
    if not late:
        raise LeagueRefused("not_late")
    own_matter = check_own_matter(season.league, who, build_season_matter(season))
    organising.check_for_all(limits.CHANGE_SEASON, season.league, who, now)
    return EarlyEnd(late, own_matter)
