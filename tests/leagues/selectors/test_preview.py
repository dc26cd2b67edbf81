"""Tests of the preview of a season: the next draw, pending matters, and moves between divisions."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games.clocks import DAY
from leagues import seasons
from leagues.models import Division, Entry, Fixture, Match, Season
from leagues.selectors.coming_steps import build_steps
from leagues.selectors.preview import preview_draw, preview_moves
from leagues.settings import Schedule
from leagues.standings import Rules
from tests.html import Page
from tests.leagues.organising_helpers import settle_fixture
from tests.leagues.season_helpers import (
    BEGINS,
    begin_season,
    choose_later_name,
    make_league,
    play_out_season,
    register_players,
    resign_all_games,
)
from tests.leagues.views.league_page_helpers import LEAGUE_URL, make_open_season

pytestmark = pytest.mark.django_db


def texts(season: Season) -> list[str]:
    return [step.text for step in build_steps(season, None)]


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (1, "With fewer than two players, the start is postponed."),
        (5, "As things are now, all 5 players play in one division."),
        (8, "As it stands now, 8 players are drawn into 2 divisions of 4."),
        (9, "As it stands now, 9 players are drawn into 2 divisions of 4 to 5."),
    ],
)
def test_registration_tells_what_would_be_drawn(players: int, told: str) -> None:
    season = make_league(division_size=4).seasons.get()
    register_players(season, players)
    first, last, following = build_steps(season, None)
    assert (first.text, first.at) == (f"Registration ends, and the season begins. {told}", season.begins)
    assert last.at == season.ends and last.text.endswith("The first moves up. The last moves down.")
    assert following.text == "Registration for season 2 then opens for 7 days."


@pytest.mark.parametrize("players", [2, 10, 12])
def test_groups_are_as_many_as_are_drawn(players: int) -> None:
    season = make_league(schedule=Schedule.GROUPS, division_size=4, rules=Rules.usual(2)).seasons.get()
    entries = [season.entries.get(player=player) for player in register_players(season, players)]
    drawn = season.format.divide(entries, season.settings)
    shown = preview_draw(season, entries[0])
    assert (sorted(shown.sizes), shown.own) == (sorted(map(len, drawn)), None)


def test_a_ladder_has_no_divisions() -> None:
    season = make_league(schedule=Schedule.LADDER, division_size=2, rules=Rules.usual(2)).seasons.get()
    players = register_players(season, 8)
    season.entries.filter(player__in=players[:3]).update(seeded=1)  # who was on it before
    first = build_steps(season, season.entries.get(player=players[7]))[0]
    assert first.text.endswith("As it stands now, 8 players are on the ladder.")


def test_in_a_first_season_ratings_decide_so_nobody_knows_their_division() -> None:
    season = make_league(division_size=4).seasons.get()
    register_players(season, 8)
    assert preview_draw(season, season.entries.first()).own is None


def test_what_is_told_of_later_seasons_is_what_is_drawn() -> None:
    play_out_season(begin_season(9, division_size=4), BEGINS + DAY)
    season = Season.objects.get(number=2)
    for name in ("Late1", "Late2", "Late3"):
        player = Player.objects.create_user(name, f"{name}@example.org")
        seasons.register(season_id=season.pk, player=player, now=BEGINS + 30 * DAY)
    gone = Player.objects.get(username="Player03")
    seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + 31 * DAY)
    entries = list(season.entries.exclude(state="withdrawn").order_by("registered", "pk"))
    drawn = season.format.divide(entries, season.settings)
    for entry in entries:
        level = next(n for n, players in enumerate(drawn, start=1) if entry.player_id in players)
        assert preview_draw(season, entry) == (tuple(map(len, drawn)), level)
    withdrawn = season.entries.get(player=gone)
    assert preview_draw(season, withdrawn).own is None


def test_who_would_move_is_who_moves_and_asking_changes_nothing() -> None:
    season = begin_season(8, division_size=4)
    resign_all_games(BEGINS + DAY, choose_later_name)
    for game in Match.objects.values_list("fixtures__game", flat=True):
        seasons.record_result(game, BEGINS + DAY)
    before = list(Entry.objects.order_by("pk").values())
    divisions = list(season.divisions.order_by("level"))
    told = {
        moves.division.level: ([str(e.player) for e in moves.up], [str(e.player) for e in moves.down])
        for moves in preview_moves(divisions, divisions)
    }
    assert told == {1: ([], ["Player03"]), 2: (["Player04"], [])}
    assert list(Entry.objects.order_by("pk").values()) == before
    play_out_season(season, BEGINS + DAY)
    for level, (up, down) in told.items():
        entries = Entry.objects.filter(division__season=season, division__level=level)
        assert list(entries.filter(moves="up").values_list("player__username", flat=True)) == up
        assert list(entries.filter(moves="down").values_list("player__username", flat=True)) == down


def test_a_swiss_season_tells_what_the_next_round_waits_for() -> None:
    season = begin_season(4, schedule=Schedule.SWISS, rounds=3, division_size=4)
    first, second, *_ = build_steps(season, None)
    assert first.waits == ("Division 1: round 2 of 3, as soon as 2 more matches are decided.",)
    assert second.text.startswith("2 matches are not decided yet.")


def test_of_many_divisions_the_first_are_told_and_ones_own() -> None:
    season = begin_season(24, schedule=Schedule.SWISS, rounds=2, division_size=4)
    own = Entry.objects.filter(division__level=5).first()
    waits = build_steps(season, own)[0].waits
    assert [wait.split(":")[0] for wait in waits] == [
        *(f"Division {n}" for n in (1, 2, 3, 5)),
        "2 more divisions wait for their next rounds.",
    ]
    assert not any(step.moves for step in build_steps(season, own)), "nothing moves before the first result"
    fixture = Fixture.objects.filter(match__division__level=6).order_by("pk")[0]
    one, other = (seat.player for seat in fixture.match.seats.all())
    settle_fixture(fixture, {one: 1, other: 2})
    moves = next(step.moves for step in build_steps(season, own) if step.moves)
    assert [line.division.name for line in moves] == [f"Division {n}" for n in (1, 2, 3, 5)]


def test_a_league_that_ends_opens_no_season() -> None:
    season = begin_season(4, again=False)
    assert not any("then opens" in text for text in texts(season))
    Division.objects.update(drawn=0)
    season.phase = "closed"
    assert build_steps(season, None) == []


def test_the_page_tells_it_with_dates_in_the_zone_of_the_reader(client: Client) -> None:
    season = make_open_season()
    register_players(season, 3)
    reader = Player.objects.get(username="Player00")
    reader.time_zone = "Asia/Tokyo"
    reader.save()
    client.force_login(reader)
    page = Page(client.get(LEAGUE_URL))
    begins = timezone.localtime(season.begins) + timedelta(hours=9)
    assert page.texts(".steps-ahead time")[0].endswith(f"{begins:%H:%M}")
    assert page.texts(".steps-ahead p")[0].endswith("all 3 players play in one division.")


def test_the_page_costs_no_more_than_any(client: Client, django_assert_max_num_queries: Any) -> None:
    begin_season(12, division_size=4)
    Entry.objects.filter(division__level=3, row=1).update(record=[1, 0, 0])  # the first result
    client.force_login(Player.objects.get(username="Player00"))
    with django_assert_max_num_queries(17):
        page = Page(client.get(LEAGUE_URL))
    assert page.texts(".steps-ahead .badge.up") == ["up", "up"]
