"""Tests of seeds and groups: ordered by hand, or drawn from pots."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games.clocks import DAY
from games.rules import RuleSet
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Entry, Season, Seed, Team
from leagues.schedules.groups import draw_groups
from leagues.seasons.seeding import sort_for_seeding
from leagues.settings import LeagueSettings, Schedule, Seeding
from leagues.standings import Rules
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.leagues.organising_helpers import confirmed
from tests.leagues.season_helpers import advance_seasons, get_numbered_player, make_league, register_players
from tests.leagues.team_season_helpers import BEGINS, make_team, make_team_season

pytestmark = pytest.mark.django_db

DUELS = Rules.usual(2)
DESK = "/leagues/cup-of-foix/desk/seeds/"


def register(number: int, schedule: Schedule = Schedule.KNOCK_OUT, **settings: object) -> Season:
    season = make_league(rules=DUELS, schedule=schedule, **settings).seasons.get()
    register_players(season, number)
    return season


def place(season: Season, *numbers: int, who: Player | None = None) -> None:
    order = [Entry.objects.get(season=season, player=get_numbered_player(one)).pk for one in numbers]
    founder = who or season.league.founder
    seasons.put_seeds_in_order(season_id=season.pk, order=order, who=founder, reason="As last year", now=NOW)


def read_seeds(season: Season) -> str:
    seeds = Seed.objects.filter(division__season=season).order_by("number")
    return "".join(str(int(str(seed.player)[-2:])) for seed in seeds)


def read_groups(season: Season) -> list[str]:
    rows = (division.entries.order_by("order") for division in season.divisions.order_by("level"))
    return ["".join(str(int(str(entry.player)[-2:])) for entry in entries) for entries in rows]


def test_those_whom_an_organiser_places_are_the_first_seeds() -> None:
    season = register(5)
    place(season, 3, 1)
    place(season, 4, 1)  # the last order counts
    advance_seasons(BEGINS)
    assert read_seeds(season) == "41023"
    logged = season.league.log.filter(act="seeds").order_by("pk").last()
    assert logged is not None and logged.reason == "As last year"


def test_groups_follow_the_order_given_by_hand() -> None:
    season = register(6, Schedule.GROUPS, division_size=3)
    place(season, 5, 4, 3, 2, 1, 0)
    advance_seasons(BEGINS)
    assert read_groups(season) == ["521", "430"]


def test_only_organisers_place_and_only_before_the_season_begins() -> None:
    season = register(4)
    with pytest.raises(LeagueRefused, match="Only this league's organisers"):
        place(season, 1, who=get_numbered_player(1))
    with pytest.raises(LeagueRefused, match="have changed"):
        place(season, 1, 1)
    gone = Entry.objects.get(player=get_numbered_player(2)).pk
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(2), now=NOW)
    with pytest.raises(LeagueRefused, match="have changed"):
        seasons.put_seeds_in_order(
            season_id=season.pk, order=[gone], who=season.league.founder, reason="So", now=NOW
        )
    assert not Entry.objects.filter(placed__isnull=False).exists()
    advance_seasons(BEGINS)
    with pytest.raises(LeagueRefused, match="before a season starts"):
        place(season, 1)


def test_who_plays_leaves_the_order_to_another_organiser() -> None:
    season = register(4)
    season.league.organisers.add(get_numbered_player(1))
    with pytest.raises(LeagueRefused, match="another organiser"):
        place(season, 1, who=get_numbered_player(1))
    season.league.organisers.set([get_numbered_player(1)])
    place(season, 1, who=get_numbered_player(1))
    assert season.league.log.latest("pk").details["own_matter"] is True


def test_there_are_no_seeds_where_divisions_stand_above_each_other() -> None:
    season = make_league().seasons.get()
    register_players(season, 3)
    with pytest.raises(LeagueRefused, match="no one to put in order"):
        place(season, 1)


def test_teams_are_placed() -> None:
    season = make_team_season(schedule=Schedule.KNOCK_OUT)
    teams = [make_team(season, name, 3) for name in "ABC"]
    seasons.put_seeds_in_order(
        season_id=season.pk, order=[teams[2].pk], who=season.league.founder, reason="Holders", now=NOW
    )
    advance_seasons(BEGINS)
    assert [str(seed.team) for seed in Seed.objects.order_by("number")] == ["C", "A", "B"]
    assert Team.objects.get(name="C").placed == 1


def make_entries(number: int, season: int) -> list[Entry]:
    return [Entry(pk=pk, season_id=season, player_id=pk, rating=2000 - pk) for pk in range(number)]


def draw(schedule: Schedule, number: int, season: int, groups: int = 0) -> list[int]:
    agreed = make_settings(schedule)
    return [entry.pk for entry in sort_for_seeding(make_entries(number, season), agreed, groups)]


def make_settings(schedule: Schedule) -> LeagueSettings:
    return LeagueSettings(rules=RuleSet.of(seats=2), standings=DUELS, schedule=schedule, seeding=Seeding.POTS)


@pytest.mark.parametrize("season", range(1, 9))
def test_each_group_draws_one_of_each_pot(season: int) -> None:
    drawn = draw_groups(draw(Schedule.GROUPS, 12, season, groups=3), 3)
    assert [sorted(one // 3 for one in group) for group in drawn] == [[0, 1, 2, 3]] * 3


@pytest.mark.parametrize("season", range(1, 9))
def test_lots_are_drawn_among_the_seeds_of_a_tier(season: int) -> None:
    seeds = draw(Schedule.KNOCK_OUT, 9, season)
    assert [sorted(seeds[a:b]) for a, b in ((0, 1), (1, 2), (2, 4), (4, 8), (8, 9))] == [
        [0],
        [1],
        [2, 3],
        [4, 5, 6, 7],
        [8],
    ]


def test_lots_differ_from_season_to_season_and_are_the_same_for_one() -> None:
    draws = [tuple(draw(Schedule.KNOCK_OUT, 8, season)) for season in range(12)]
    assert len(set(draws)) > 6
    assert draws == [tuple(draw(Schedule.KNOCK_OUT, 8, season)) for season in range(12)]


def test_nobody_draws_lots_for_a_ladder() -> None:
    assert "seeding" in make_settings(Schedule.LADDER).faults()
    assert not list(make_settings(Schedule.KNOCK_OUT).faults())


def test_the_desk_asks_shows_and_sets_the_order(client: Client) -> None:
    season = register(3)
    Season.objects.update(begins=timezone.now() + DAY, ends=timezone.now() + 90 * DAY)
    client.force_login(season.league.founder)
    assert Page(client.get("/leagues/cup-of-foix/desk/")).has(f"a[href='{DESK}']")
    keys = [Entry.objects.get(player=get_numbered_player(number)).pk for number in range(3)]
    assert {f"seed_{key}" for key in keys} <= {
        str(field["name"]) for field in Page(client.get(DESK)).all("input[type=number]")
    }
    sent = {f"seed_{keys[2]}": "1", f"seed_{keys[0]}": "1", f"seed_{keys[1]}": "", "reason": "Holders"}
    assert "Two can't have the same number." in Page(client.post(DESK, sent)).text("main")
    sent[f"seed_{keys[0]}"] = "2"
    page = Page(client.post(DESK, sent))
    assert "1. Player02" in page.text("main") and "2. Player00" in page.text("main")
    assert not Entry.objects.filter(placed__isnull=False).exists()
    page = Page(client.post(DESK, sent | confirmed(page), follow=True))
    assert page.texts(".message.success") == ["The order is set."]
    assert dict(Entry.objects.values_list("pk", "placed")) == {keys[0]: 2, keys[1]: None, keys[2]: 1}


def test_who_came_since_the_list_was_shown_follows(client: Client) -> None:
    season = register(2)
    Season.objects.update(begins=timezone.now() + DAY, ends=timezone.now() + 90 * DAY)
    client.force_login(season.league.founder)
    keys = list(Entry.objects.order_by("pk").values_list("pk", flat=True))
    sent = {f"seed_{keys[1]}": "1", "reason": "Holders"}
    shown = Page(client.post(DESK, sent))
    seasons.register(season_id=season.pk, player=make_player("Late"), now=timezone.now())
    client.post(DESK, sent | confirmed(shown))
    assert list(Entry.objects.order_by("pk").values_list("placed", flat=True)) == [None, 1, None]
