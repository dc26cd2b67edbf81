"""Offices of leagues and teams: who holds them, and who takes over from those who leave."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Player
from leagues.mails.organisers import Inherited
from leagues.models import League, Phase, Season, Team, TeamState, find_long_suspended
from leagues.seasons.founding import write_log_entry
from leagues.seasons.locks import lock_league, lock_season
from leagues.seasons.teams.squads import pass_captaincy_on

ALIVE = (Phase.REGISTRATION, Phase.RUNNING)


def find_sole_leagues(player: Player, now: datetime) -> list[League]:
    """Return the leagues that *player* organises and nobody else does: those with a season to come or to
    play."""
    organised = _find_living_leagues().filter(organisers=player).order_by("name", "pk")
    return [
        league
        for league in organised
        if not league.find_acting_organisers(now).exclude(pk=player.pk).exists()
    ]


def find_led_teams(player: Player) -> QuerySet[Team]:
    """Return the teams whose captain *player* is, of seasons that are open or run."""
    there = Team.objects.filter(captain=player, season__phase__in=ALIVE).exclude(state=TeamState.WITHDRAWN)
    return there.select_related("season__league").order_by("pk")


def find_teams_to_pass_on(now: datetime) -> Iterator[int]:
    """Yield the keys of teams whose captain's account is closed or suspended for long."""
    absent = Q(captain__is_active=False) | Q(captain__in=find_long_suspended(now).values("pk"))
    led = Team.objects.filter(absent, season__phase__in=ALIVE).exclude(state=TeamState.WITHDRAWN)
    yield from led.order_by("pk").values_list("pk", flat=True)


@transaction.atomic
def replace_captain(team_id: int, now: datetime) -> bool:
    """Let a team-mate follow a captain who is absent. Return whether there is one."""
    lock_season(Team.objects.values_list("season", flat=True).get(pk=team_id))
    if team_id not in set(find_teams_to_pass_on(now)):
        return False
    return pass_captaincy_on(Team.objects.select_related("season__league").get(pk=team_id), now)


def find_leagues_to_inherit(now: datetime) -> Iterator[int]:
    """Yield the keys of leagues whose last acting organiser has gone, or that have one again."""
    acting = Player.objects.filter(organised=OuterRef("pk"), is_active=True)
    acting = acting.exclude(pk__in=find_long_suspended(now).values("pk"))
    changed = Q(Exists(acting), vacant__isnull=False) | Q(~Exists(acting), vacant=None)
    yield from _find_living_leagues().filter(changed).order_by("pk").values_list("pk", flat=True)


@transaction.atomic
def note_vacancy(league_id: int, now: datetime) -> bool:
    """Note that a league has no acting organiser, and tell the staff, who look after it; or that it has one
    again. Return whether it was without."""
    league = lock_league(league_id)
    is_vacant = not league.find_acting_organisers(now).exists()
    if is_vacant and league.vacant is None:
        league.vacant = now
        Inherited.tell(write_log_entry(league, "inherit", now=now))
    elif not is_vacant:
        league.vacant = None
    league.save(update_fields=["vacant"])
    return is_vacant


def _find_living_leagues() -> QuerySet[League]:
    """Leagues that have a season to come or to play."""
    alive = Season.objects.filter(league=OuterRef("pk"), phase__in=ALIVE)
    return League.objects.filter(Q(closed=None) | Exists(alive))
