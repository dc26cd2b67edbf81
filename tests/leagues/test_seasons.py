"""A league from its founding to its second season, by the beat alone."""

from datetime import timedelta

import pytest

from accounts.models import Player
from games import play
from games.clocks import DAY
from games.conduct import blocks
from games.models import Game, Seat
from games.rules import RuleSet
from leagues import seasons
from leagues.exceptions import LeagueRefused
from leagues.models import Division, Entry, Fixture, League, Match, Phase, Season
from leagues.seasons import steps
from leagues.selectors.division_lines import build_line
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules, Withdrawn
from tests.games.factories import NOW, make_player
from tests.leagues import oracle
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    list_names,
    make_league,
    play_out_season,
    register_players,
    resign_all_games,
)

pytestmark = pytest.mark.django_db


def test_a_season_begins_with_divisions_and_games_for_everybody() -> None:
    season = begin_season(8, division_size=4)
    assert [division.entries.count() for division in season.divisions.all()] == [4, 4]
    assert Match.objects.count() == Fixture.objects.count() == 12
    assert Game.objects.filter(status="playing", rated=True).count() == 12
    for entry in Entry.objects.all():
        begins = Seat.objects.filter(player=entry.player, index=0).count()
        assert begins in (1, 2)
    assert all(game.clock.ends == season.ends for game in Game.objects.all())


def test_it_closes_by_itself_and_opens_the_next_with_who_has_moved() -> None:
    season = begin_season(8, division_size=4)
    play_out_season(season, BEGINS + DAY, played=True)
    assert season.phase == Phase.CLOSED
    above, below = season.divisions.order_by("level")
    assert list_names(above) == ["Player00", "Player01", "Player02", "Player03"]
    assert list(above.entries.order_by("row").values_list("rank", "points", "moves")) == [
        (1, "6", ""),
        (2, "4", ""),
        (3, "2", ""),
        (4, "0", "down"),
    ]
    following = Season.objects.get(number=2)
    assert following.phase == Phase.REGISTRATION
    levels = following.entries.order_by("seeded", "order").values_list("seeded", "player__username")
    assert [name for level, name in levels if level == 1] == ["Player00", "Player01", "Player02", "Player04"]
    for division in season.divisions.all():
        highest, lowest = division == above, division == below
        assert oracle.check(build_line(division), highest=highest, lowest=lowest) == []


def test_every_step_can_be_taken_again() -> None:
    season = begin_season(6, division_size=6)
    before = [Game.objects.count(), Match.objects.count(), Fixture.objects.count()]
    for step in list(steps._steps(BEGINS)):
        step()
        step()
    assert [Game.objects.count(), Match.objects.count(), Fixture.objects.count()] == before
    resign_all_games(BEGINS + DAY, choose_later_name)
    for game in Game.objects.values_list("pk", flat=True):
        assert seasons.record_result(game, BEGINS + DAY)
        assert not seasons.record_result(game, BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    assert Season.objects.count() == 2
    assert season.league.log.filter(act="close").count() == 1


def test_a_match_goes_on_until_it_is_decided() -> None:
    season = begin_season(4, rules=Rules.usual(2, best_of=3), division_size=4)
    play_out_season(season, BEGINS + DAY)
    assert Fixture.objects.count() == 12, "two games each decide six matches"
    for match in Match.objects.all():
        first, second = (fixture.game for fixture in match.fixtures.all())
        assert first.seats.get(index=0).player == second.seats.get(index=1).player
    (division,) = season.divisions.all()
    assert list(division.entries.order_by("row").values_list("points", flat=True)) == ["6", "4", "2", "0"]
    assert oracle.check(build_line(division), highest=True, lowest=True) == []


def test_at_larger_tables_everybody_meets() -> None:
    season = begin_season(6, seats=3, rounds=4, division_size=8, rules=Rules.usual(3))
    assert Match.objects.count() == 8
    play_out_season(season, BEGINS + DAY, played=True)
    (division,) = season.divisions.all()
    assert oracle.check(build_line(division), highest=True, lowest=True) == []


def test_swiss_rounds_come_one_after_the_other() -> None:
    season = begin_season(7, schedule=Schedule.SWISS, rounds=3, division_size=16, rules=Rules.usual(2))
    (division,) = season.divisions.all()
    assert (division.drawn, Match.objects.count(), division.byes.count()) == (1, 3, 1)
    play_out_season(season, BEGINS + DAY, played=True)
    assert Match.objects.count() == 9 and division.byes.count() == 3
    pairs = {frozenset(match.seats.values_list("player", flat=True)) for match in Match.objects.all()}
    assert len(pairs) == 9, "and never twice"
    assert oracle.check(build_line(division), highest=True, lowest=True) == []


@pytest.mark.parametrize("rule", Withdrawn)
def test_who_withdraws_forfeits_what_has_not_begun(rule: Withdrawn) -> None:
    rules = Rules.usual(2, best_of=3)
    season = begin_season(4, rules=Rules(rules.points, 3, rules.tie_breaks, rule), division_size=4)
    gone = Player.objects.get(username="Player00")
    seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
    seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    assert not Game.objects.filter(seats__player=gone, status="playing").exists()
    play_out_season(season, BEGINS + 2 * DAY)
    (division,) = season.divisions.all()
    entry = division.entries.get(player=gone)
    assert (entry.points, entry.stays) == ("0", False)
    struck = Fixture.objects.filter(struck=True).count()
    assert struck == 0 if rule == Withdrawn.KEEP else struck > 0
    assert oracle.check(build_line(division), highest=True, lowest=True) == []
    assert not Season.objects.get(number=2).entries.filter(player=gone).exists()


def test_at_a_larger_table_the_others_play_without_who_withdrew() -> None:
    season = begin_season(4, seats=4, rounds=2, division_size=4, rules=Rules.usual(4))
    Match.objects.filter(round=2).update(waits=True)
    Fixture.objects.filter(match__round=2).delete()
    gone = Player.objects.get(username="Player03")
    seasons.withdraw(season_id=season.pk, player=gone, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    later = Fixture.objects.get(match__round=2)
    assert later.game is not None and later.game.places == 3
    play_out_season(season, BEGINS + 2 * DAY)
    later.refresh_from_db()
    assert later.seats is not None
    assert later.seats[-1] == {"player": gone.pk, "rank": 4, "score": None, "forfeit": True}


def test_with_too_few_players_it_does_not_begin() -> None:
    season = make_league().seasons.get()
    register_players(season, 1)
    advance_seasons(BEGINS)
    season.refresh_from_db()
    assert season.phase == Phase.REGISTRATION and season.begins > BEGINS
    assert not Division.objects.exists()


def test_what_begins_too_late_is_nobodys_win() -> None:
    season = begin_season(2, rules=Rules.usual(2, best_of=3), division_size=2)
    late = season.ends - DAY / 2
    resign_all_games(late, choose_later_name)
    advance_seasons(late)
    results = [fixture.seats for fixture in Fixture.objects.order_by("number")]
    assert len(results) == 3
    assert [seat["rank"] for seat in results[1]] == [2, 2]
    season.refresh_from_db()
    assert season.phase == Phase.CLOSED


def test_who_leaves_before_a_game_has_well_begun_forfeits_it() -> None:
    season = begin_season(2, division_size=2)
    game = Game.objects.get()
    play.resign(game_id=game.pk, seat=0, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    fixture = Fixture.objects.get()
    assert fixture.seats is not None
    assert [(seat["rank"], seat["forfeit"]) for seat in fixture.seats] == [(2, True), (1, True)]
    season.refresh_from_db()
    assert season.phase == Phase.CLOSED


def test_a_game_that_was_broken_off_waits_for_the_organisers() -> None:
    season = begin_season(2, division_size=2)
    game = Game.objects.get()
    play.abort(game_id=game.pk, seat=0, now=BEGINS + DAY)
    advance_seasons(BEGINS + DAY)
    season.refresh_from_db()
    assert season.phase == Phase.RUNNING
    advance_seasons(season.ends + 2 * DAY)
    season.refresh_from_db()
    assert season.phase == Phase.CLOSED
    fixture = Fixture.objects.get()
    assert fixture.seats is not None
    assert [(seat["rank"], seat["forfeit"]) for seat in fixture.seats] == [(2, True), (2, True)]


def test_registration_is_refused_in_words() -> None:
    season = begin_season(2, division_size=2)
    late = make_player("Late")
    with pytest.raises(LeagueRefused, match="closed"):
        seasons.register(season_id=season.pk, player=late, now=BEGINS)
    with pytest.raises(LeagueRefused, match="not registered"):
        seasons.withdraw(season_id=season.pk, player=late, now=BEGINS)
    robot = make_player("Robot", is_bot=True)
    other = Season.objects.create(
        league=League.objects.create(
            slug="other", name="Other", founder=late, agreed=season.agreed, created=NOW
        ),
        number=1,
        agreed=season.agreed,
        opened=NOW,
        begins=BEGINS,
        ends=BEGINS + DAY,
    )
    with pytest.raises(LeagueRefused, match="Only people"):
        seasons.register(season_id=other.pk, player=robot, now=NOW)


def test_founding_needs_the_right_and_a_name_of_its_own() -> None:
    settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2))
    with pytest.raises(LeagueRefused, match="can't start leagues"):
        seasons.found_league(founder=make_player("Anna"), name="Cup", settings=settings, now=NOW)
    make_league()
    with pytest.raises(LeagueRefused, match="This name"):
        seasons.found_league(
            founder=Player.objects.get(username="Founder"), name="Cup of Foix", settings=settings, now=NOW
        )


def test_newcomers_who_are_kept_apart_come_into_different_divisions() -> None:
    cup = make_league(division_size=4)
    players = [make_player(f"Player{at}") for at in range(8)]
    for at, player in enumerate(players):
        seasons.register(season_id=cup.seasons.get().pk, player=player, now=NOW + timedelta(minutes=at))
    blocks.block(blocked=players[1], player=players[0], now=NOW)
    blocks.block(blocked=players[6], player=players[7], now=NOW)
    advance_seasons(BEGINS)
    of = {entry.player: entry.division for entry in Entry.objects.select_related("division", "player")}
    assert of[players[0]] != of[players[1]] and of[players[6]] != of[players[7]]
    assert [division.entries.count() for division in Division.objects.order_by("level")] == [4, 4]


def test_who_registers_again_after_withdrawing_plays_the_next_season_too() -> None:
    season = make_league(division_size=2).seasons.get()
    again, _other = register_players(season, 2)
    seasons.withdraw(season_id=season.pk, player=again, now=NOW + timedelta(hours=1))
    seasons.register(season_id=season.pk, player=again, now=NOW + timedelta(hours=2))
    advance_seasons(BEGINS)
    play_out_season(season, BEGINS + DAY)
    assert Season.objects.get(number=2).entries.filter(player=again).exists()
