"""The time that rounds drawn one after the other have for their games (STAND-16, STAND-20).

The calendar of a season holds every wait, so rounds usually have more than their least time. Where late
decisions have eaten it, the end of the season moves by what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from leagues.calendar import SeasonCalendar, Stage, build_calendar, compute_round_end
from leagues.mails.seasons import EndMoved
from leagues.models import AWAITS_ROUND, Division, Match, Season
from leagues.seasons.founding import FEWEST, write_log_entry
from leagues.seasons.protests import compute_protest_end
from leagues.settings import TIME_TO_DRAW


class LateRound(NamedTuple):
    """The next round of a division, which can't have its least time before the end of its season."""

    division: Division
    missing: timedelta  # at least
    least: timedelta

    @property
    def name(self) -> str:
        """The name of the round, or of the knock-out after groups."""
        division = self.division
        if not division.awaits_round:
            return _("Knock-out")
        return division.name_round(division.drawn + 1)


def load_calendar(season: Season) -> SeasonCalendar:
    """Build the calendar of *season*, which has begun, for all who play in it, as if nothing were late."""
    players = max(season.contenders.count_playing(season), FEWEST)
    return build_calendar(season.settings, players=players, begins=season.begins)


def compute_least_time(division: Division, stage: Stage | None = None) -> timedelta:
    """Return the least time of a round of *division*, or of another *stage* of its season, from its draw; of
    teams with line-ups."""
    season = division.season
    line_ups = season.contenders.get_line_up_time(season.settings)
    return load_calendar(season).compute_least_time(stage or division.format.stage) + line_ups


def plan_next_round(division: Division, now: datetime) -> datetime:
    """Return when the games of the next round of *division* would end at the latest, if it were drawn *now*;
    that may be after its season."""
    season = division.season
    return compute_round_end(
        now,
        season.ends,
        left=division.rounds - division.drawn,
        wait=season.settings.wait,
        least=compute_least_time(division),
        usual=division.format.usual_round,
    )


def claim_round_time(division: Division, now: datetime) -> datetime:
    """Return the latest end of the games of the next round of *division*, which is drawn *now*. If it is
    after the season, which is locked, that ends as much later."""
    ends = plan_next_round(division, now)
    move_season_end(division, division.drawn + 1, ends, now)
    return ends


def give_time(match: Match, now: datetime) -> None:
    """Give *match*, whose first game could not begin in time, the least time of its round."""
    match.ends = now + compute_least_time(match.division)
    match.warned = False
    match.save(update_fields=["ends", "warned"])
    move_season_end(match.division, match.round, match.ends, now)


def move_season_end(division: Division, round: int, ends: datetime, now: datetime) -> None:
    """Let the season of *division* end at *ends*, if that is later, for this *round*; log it and tell its
    players."""
    season = division.season
    if ends <= season.ends:
        return
    before, season.ends = season.ends, ends
    season.save(update_fields=["ends"])
    log = write_log_entry(
        season.league,
        "move_end",
        season=season,
        now=now,
        division=division.level,
        round=round,
        before=before.isoformat(),
        after=ends.isoformat(),
    )
    EndMoved.tell(season, log)


def list_late_rounds(season: Season, now: datetime) -> Iterator[LateRound]:
    """Yield the next rounds in *season*, which runs, that can't have their least time any more, however soon
    they are drawn. Rounds of teams in tables have fixed dates."""
    divisions = season.divisions.select_related("season__league").order_by("level")
    if season.format.waits_for_finals(season):
        draw = max(find_earliest_draw(division, now) for division in divisions)
        least = compute_least_time(divisions[0], Stage.KNOCK_OUT)
        found = [LateRound(division, draw + least - season.ends, least) for division in divisions]
    else:
        waiting = [each for each in divisions.filter(AWAITS_ROUND) if each.format.draws_rounds]
        found = [_plan_late_round(division, now) for division in waiting]
    yield from (each for each in found if each.missing > timedelta())


def _plan_late_round(division: Division, now: datetime) -> LateRound:
    least = compute_least_time(division)
    return LateRound(division, find_earliest_draw(division, now) + least - division.season.ends, least)


def find_earliest_draw(division: Division, now: datetime) -> datetime:
    """Return the earliest time at which what follows the drawn rounds of *division* can be drawn."""
    if division.season.contenders.has_undecided(division):
        return now + division.season.settings.protest + TIME_TO_DRAW
    return max(now, compute_protest_end(division.season, division) or now)
