"""Tests of organisers' removal of an inactive player from a season (STAND-4)."""

from __future__ import annotations

from datetime import datetime

import pytest

from accounts.models import Player
from games.models import Game, Notice, Status
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, EntryState, Season
from tests.games.factories import NOW, make_player
from tests.leagues.organising_helpers import LATER, get_organiser
from tests.leagues.season_helpers import (
    advance_seasons,
    begin_season,
    get_numbered_player,
    make_league,
    register_players,
)

pytestmark = pytest.mark.django_db


def take_out(season: Season, player: Player, now: datetime = LATER, reason: str = "Never answers") -> Entry:
    return seasons.take_out_player(
        season_id=season.pk, player=player, who=get_organiser(), reason=reason, now=now
    )


def test_games_are_resigned_or_forfeited_and_the_log_and_a_mail_say_why() -> None:
    season = begin_season(4, division_size=4)
    gone = get_numbered_player(0)
    take_out(season, gone)
    advance_seasons(LATER)
    assert season.entries.get(player=gone).state == EntryState.WITHDRAWN
    assert not Game.objects.filter(seats__player=gone, status=Status.PLAYING).exists()
    assert {entry.points for entry in season.entries.exclude(player=gone)} == {"2"}
    log = season.league.log.get(act="take_out")
    assert (log.who, log.reason, log.details["player"]) == (get_organiser(), "Never answers", gone.pk)
    assert Notice.objects.filter(about__topic="taken-out").get().recipient == gone


def test_before_it_begins_the_first_who_waits_has_the_place() -> None:
    season = make_league(most_players=2).seasons.get()
    register_players(season, 2)
    zoe = make_player("Zoe")
    seasons.wait(season_id=season.pk, player=zoe, now=NOW)
    take_out(season, get_numbered_player(0), NOW)
    there = season.entries.filter(state=EntryState.REGISTERED)
    assert set(there.values_list("player__username", flat=True)) == {"Player01", "Zoe"}


def test_is_refused_in_words() -> None:
    season = begin_season(4, division_size=4)
    with pytest.raises(LeagueRefused, match="isn't playing"):
        take_out(season, make_player("Zoe"))
    with pytest.raises(LeagueRefused, match="Give a reason"):
        take_out(season, get_numbered_player(0), reason=" ")
    take_out(season, get_numbered_player(0))
    with pytest.raises(LeagueRefused, match="isn't playing"):
        take_out(season, get_numbered_player(0))
    assert season.league.log.filter(act="take_out").count() == 1
