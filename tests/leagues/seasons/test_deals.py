"""Leagues in which all tables of a round draw the same tiles."""

import pytest
from django.contrib.auth.models import AnonymousUser

from games import access
from games.clocks import DAY
from games.models import Bag, Deal, Game, Seat
from games.play import moderation
from games.play.audit import find_draw_faults
from leagues import seasons
from leagues.management.league_simulation import LeagueSimulation, LeagueSimulationPlan
from leagues.models import Fixture, Match, RoundDeal
from leagues.seasons import deals
from leagues.settings import LeagueSettings, Schedule
from leagues.standings import Rules
from tests.games.factories import make_player, play_turns
from tests.games.play.moderating import asked
from tests.leagues.season_helpers import (
    BEGINS,
    advance_seasons,
    begin_season,
    choose_later_name,
    resign_all_games,
)

pytestmark = pytest.mark.django_db
STRANGER = AnonymousUser()


def drawn(game: Game) -> list[str]:
    """All tiles that *game* has drawn, and will draw."""
    return [*game.tiles.order_by("draw").values_list("kind", flat=True), *Bag.objects.get(game=game).order]


def games_of(round: int, number: int = 1) -> list[Game]:
    fixtures = Fixture.objects.filter(match__round=round, number=number, game__isnull=False)
    return [fixture.game for fixture in fixtures.select_related("game").order_by("pk") if fixture.game]


def test_all_games_of_a_round_draw_the_same_and_those_of_others_do_not() -> None:
    begin_season(6, duplicate=True, division_size=6)
    orders = [[drawn(game) for game in games_of(round)] for round in range(1, 6)]
    for of_a_round in orders:
        assert of_a_round == [of_a_round[0]] * 3
    assert len({tuple(of_a_round[0]) for of_a_round in orders}) == 5
    assert Deal.objects.exclude(closed=None).count() == 5


def test_divisions_do_not_share_their_draws() -> None:
    begin_season(8, duplicate=True, division_size=4)
    assert Deal.objects.count() == 6
    for deal in Deal.objects.all():
        divisions = Fixture.objects.filter(game__deal=deal).values_list("match__division", flat=True)
        assert len(set(divisions)) == 1 and len(divisions) == 2


def test_a_league_that_does_not_say_so_draws_as_before() -> None:
    begin_season(4)
    assert not Deal.objects.exists() and not RoundDeal.objects.exists()
    assert all(access.may_see(STRANGER, game) for game in Game.objects.all())


def test_nobody_sits_twice_with_the_same_tiles() -> None:
    begin_season(4, duplicate=True, rounds=2)
    for deal in Deal.objects.all():
        players = Seat.objects.filter(game__deal=deal).values_list("player", flat=True)
        assert len(players) == len(set(players)) == 4
    assert Deal.objects.count() == 6  # each time a pair meets it has other tiles


def test_who_was_replaced_at_a_table_gets_other_tiles_than_it_has() -> None:
    season = begin_season(4, duplicate=True, rules=Rules.usual(2, best_of=3))
    match, other = Match.objects.filter(round=1).order_by("pk")
    Deal.objects.update(closed=None)  # as if the other game were still to begin
    shared = RoundDeal.objects.get(round=1, number=1).deal
    seat = match.fixtures.get().game.seats.get(index=0)
    gone = seat.player
    moderation.replace(asked(seat.game), 0, make_player("Emma"))
    rules = season.settings.rules
    assert deals.share_deal(other, 1, [make_player("Felix")], rules, BEGINS) == shared
    assert deals.share_deal(other, 1, [gone], rules, BEGINS) is None


def test_each_game_of_a_series_has_its_own() -> None:
    season = begin_season(4, duplicate=True, rules=Rules.usual(2, best_of=3))
    first = Match.objects.filter(round=1).order_by("pk").first()
    assert first is not None
    resign_all_games(BEGINS + DAY, choose_later_name)
    advance_seasons(BEGINS + DAY)
    one, two = games_of(1, 1)[0], games_of(1, 2)[0]
    assert {one.seats.get(index=0).player, two.seats.get(index=0).player} == set(
        seat.player for seat in first.seats.all()
    )
    assert drawn(one) != drawn(two)
    assert [drawn(game) for game in games_of(1, 2)] == [drawn(two)] * 2
    assert season.divisions.get().deals.filter(round=1).count() == 2


def test_a_deal_is_shown_when_no_match_of_its_round_can_need_it_any_more() -> None:
    """The second game of one match begins while the first of another is still played."""
    begin_season(4, duplicate=True, rules=Rules.usual(2, best_of=3))
    quick, slow = Match.objects.filter(round=1).order_by("pk")
    for day in (1, 2):
        now = BEGINS + day * DAY
        (game,) = Game.objects.filter(
            pk__in=quick.fixtures.filter(settled=None).values("game"), status="playing"
        )
        play_turns(game, 2, now=now)
        resign(game, now)
        advance_seasons(now)
    deal = RoundDeal.objects.get(round=1, number=2).deal
    assert not deal.games.exclude(status="finished").exists()
    assert deal.closed is None and deal.sealed
    (second,) = games_of(1, 2)
    assert not access.may_see(slow.seats.all()[0].player, second)
    resign(slow.fixtures.get().game, now)
    advance_seasons(now)
    assert [drawn(game) for game in games_of(1, 2)] == [drawn(second)] * 2
    deal.refresh_from_db()
    assert deal.closed is not None and deal.sealed
    resign(games_of(1, 2)[1], now)
    deal.refresh_from_db()
    assert not deal.sealed and access.may_see(STRANGER, second)


def resign(game: Game | None, now: object) -> None:
    from games import play

    assert game is not None
    loser = Seat.objects.filter(game=game).order_by("player__username").last()
    assert loser is not None
    play.resign(game_id=game.pk, seat=loser.index, now=now)  # type: ignore[arg-type]


def test_whose_match_is_a_forfeit_keeps_nothing_hidden() -> None:
    season = begin_season(4, duplicate=True, rules=Rules.usual(2, best_of=3))
    leaver = season.entries.order_by("pk")[0].player
    seasons.withdraw(season_id=season.pk, player=leaver, now=BEGINS + DAY)
    for day in range(2, 6):
        resign_all_games(BEGINS + day * DAY, choose_later_name)
        advance_seasons(BEGINS + day * DAY)
    assert not Deal.objects.filter(seed="").exists()


def test_closing_can_be_tried_again() -> None:
    begin_season(4, duplicate=True)
    (first, *_others) = RoundDeal.objects.order_by("pk")
    assert not deals.close_deal(first.pk, BEGINS)
    assert not deals.find_deals_to_close().exists()


def test_a_game_that_comes_late_has_tiles_of_its_own() -> None:
    """As when an organiser has a game played again: its tiles are known."""
    season = begin_season(4, duplicate=True)
    match = Match.objects.filter(round=1).select_related("division__season__league").first()
    assert match is not None
    players = [seat.player for seat in match.seats.all()]
    rules = season.settings.table(season.ends).rules
    assert deals.share_deal(match, 1, players, rules, BEGINS) is None
    assert deals.share_deal(match, 2, players, rules, BEGINS) is not None


def test_tables_of_different_sizes_have_different_draws() -> None:
    season = begin_season(6, seats=3, duplicate=True)
    match = Match.objects.filter(round=1).select_related("division__season__league").latest("pk")
    whole, smaller = (season.settings.table(season.ends, seats=seats).rules for seats in (3, 2))
    assert deals.share_deal(match, 1, [], smaller, BEGINS) != RoundDeal.objects.get(round=1, seats=3).deal
    assert set(RoundDeal.objects.filter(round=1).values_list("seats", flat=True)) == {whole.seats, 2}


PLANS = {
    "best of three": LeagueSimulationPlan(
        divisions=1, players=3, seasons=1, best_of=3, turns=2, faults=True, duplicate=True
    ),
    "tables of three": LeagueSimulationPlan(
        divisions=1, players=6, seats=3, seasons=1, rounds=1, turns=6, duplicate=True
    ),
    "Swiss": LeagueSimulationPlan(
        divisions=1, players=5, seasons=1, schedule=Schedule.SWISS, rounds=2, turns=2, duplicate=True
    ),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_simulated_league_ends_with_every_draw_shown_and_checked(name: str) -> None:
    list(LeagueSimulation(PLANS[name]).run())
    assert Deal.objects.exists() and not Deal.objects.filter(seed="").exists()
    shared = Game.objects.exclude(deal=None)
    assert shared.exclude(seed="").count() == 0
    for game in shared:
        assert find_draw_faults(game) == []
    for deal in Deal.objects.all():
        orders = [game.tiles.order_by("draw").values_list("kind", flat=True) for game in deal.games.all()]
        assert len({tuple(order[:2]) for order in orders}) == 1


def test_old_seasons_do_not_say_whether() -> None:
    from games.rules import RuleSet

    settings = LeagueSettings(rules=RuleSet.of(seats=2), standings=Rules.usual(2), duplicate=True)
    stored = settings.to_json()
    assert LeagueSettings.from_json(stored) == settings
    del stored["duplicate"]
    assert not LeagueSettings.from_json(stored).duplicate
