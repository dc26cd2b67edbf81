"""Tests of games that share a draw: the same tiles in the same order, secret until all are over."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import play, tables
from games.clocks import Ladder, TimeoutStep
from games.models import Bag, Deal, DealSecret, Game, Status
from games.play import bag, positions
from games.play.audit import find_differences, find_draw_faults, find_returned_tiles
from tests.games.factories import NOW, play_turns
from tests.games.play.deal_helpers import (
    begin_game_of_deal,
    close_deal,
    list_drawn_kinds,
    make_deal,
    play_and_resign,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("sets", [("base",), ("base", "river1", "inns-and-cathedrals")])
def test_all_games_draw_the_same_tiles_and_the_draw_can_be_checked(sets: tuple[str, ...]) -> None:
    deal = make_deal(sets=sets)
    games = [begin_game_of_deal(deal, *names, sets=sets) for names in (("Anna", "Bruno"), ("Clara", "David"))]
    close_deal(deal)
    games = [play_and_resign(game, 14) for game in games]
    shorter = min(len(list_drawn_kinds(game)) for game in games)
    assert list_drawn_kinds(games[0])[:shorter] == list_drawn_kinds(games[1])[:shorter]
    assert games[0].seed_hash == games[1].seed_hash == deal.seed_hash
    for game in games:
        assert not find_draw_faults(game) and not find_differences(game)
        game.tiles.filter(draw=3).update(kind="base.none")
        assert [fault.code for fault in find_draw_faults(game)] == ["tile"]


def test_another_deal_is_another_order() -> None:
    games = [
        begin_game_of_deal(make_deal(), "Anna", "Bruno"),
        begin_game_of_deal(make_deal(), "Clara", "David"),
    ]
    first, second = (list_drawn_kinds(game) + Bag.objects.get(game=game).order for game in games)
    assert first != second and sorted(first) == sorted(second)


def test_without_a_deal_a_game_has_its_own_draw_as_before() -> None:
    game = play_and_resign(begin_game_of_deal(None, "Anna", "Bruno"))
    assert game.deal is None and game.draw_code == game.code and game.shown_seed == game.seed != ""
    assert find_draw_faults(game) == []


def test_a_deal_of_one_game_is_drawn_as_a_game_of_that_name_would_be() -> None:
    deal = make_deal()
    game = begin_game_of_deal(deal, "Anna", "Bruno")
    seed = bytes(DealSecret.objects.get(deal=deal).seed)
    order = [copy.tile for copy in bag.compute_draw_order(seed, deal.code, game.rules.bag)]
    assert list_drawn_kinds(game) + Bag.objects.get(game=game).order == order
    assert bag.compute_commitment(seed) == game.seed_hash


def test_the_seed_is_shown_when_no_game_joins_and_all_are_over() -> None:
    deal = make_deal()
    first, second = begin_game_of_deal(deal, "Anna", "Bruno"), begin_game_of_deal(deal, "Clara", "David")
    play_and_resign(first)
    play_and_resign(second, turns=0)
    deal.refresh_from_db()
    assert deal.sealed  # a third game could still join
    assert close_deal(deal).seed
    assert bag.compute_commitment(bytes.fromhex(deal.seed)) == deal.seed_hash
    assert {game.shown_seed for game in Game.objects.all()} == {deal.seed}
    assert {game.seed for game in Game.objects.all()} == {""}


def test_the_last_game_to_end_shows_it() -> None:
    deal = make_deal()
    games = [begin_game_of_deal(deal, *names) for names in (("Anna", "Bruno"), ("Clara", "David"))]
    close_deal(deal)
    for game in games:
        assert deal.sealed
        play_and_resign(game)
        deal.refresh_from_db()
    assert not deal.sealed


def test_a_game_that_is_aborted_is_over_too() -> None:
    deal = make_deal()
    game = begin_game_of_deal(deal, "Anna", "Bruno")
    close_deal(deal)
    assert play_and_resign(game, turns=0).status == Status.ABORTED
    deal.refresh_from_db()
    assert not deal.sealed


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (("Anna", "Clara"), {}),  # Anna has seen the tiles
        (("Clara", "David"), {"hand": "three_open"}),
        (("Clara", "David"), {"sets": ("base", "river1")}),
        (("Clara", "David", "Emma"), {}),
        (("Clara", "David"), {"ladder": Ladder(last=TimeoutStep.SUBSTITUTE)}),
    ],
)
def test_who_may_not_share_it(names: tuple[str, ...], rules: dict[str, Any]) -> None:
    deal = make_deal()
    begin_game_of_deal(deal, "Anna", "Bruno")
    with pytest.raises(ValueError):
        begin_game_of_deal(deal, *names, **rules)
    assert deal.games.count() == 1


def test_nobody_joins_a_closed_deal() -> None:
    deal = close_deal(make_deal())
    with pytest.raises(ValueError):
        begin_game_of_deal(deal, "Anna", "Bruno")


def test_what_fits_nowhere_goes_back_into_the_bag_by_the_seed_of_the_deal(monkeypatch: Any) -> None:
    """So the order of the games may differ from there on, and still be checked (HR-6)."""
    monkeypatch.setattr(bag, "generate_seed", lambda: bytes(32))
    rules: dict[str, Any] = {"unplaceable": "back_in_bag", "board_limit": "fixed 9x9"}
    deal = make_deal(**rules)
    Deal.objects.update(code="twentyfive")
    deal.refresh_from_db()
    game = begin_game_of_deal(deal, "Anna", "Bruno", **rules)
    close_deal(deal)
    game = play_turns(game)
    play.score(game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert find_returned_tiles(game)
    assert find_draw_faults(game) == []


def test_a_turn_taken_back_gives_the_tile_back_to_the_front() -> None:
    game = begin_game_of_deal(make_deal(), "Anna", "Bruno")
    before = Bag.objects.get(game=game).order
    action = next(iter(positions.load_position(game).legal_actions()))
    play.play(
        game_id=game.pk,
        seat=0,
        action=action,
        expected_version=game.version,
        now=NOW,
        undo_window=timedelta(seconds=30),
    )
    play.undo(game_id=game.pk, seat=0, now=NOW)
    assert Bag.objects.get(game=game).order == before


def test_the_command_says_why_a_draw_can_not_be_checked_yet() -> None:
    deal = make_deal()
    game, other = begin_game_of_deal(deal, "Anna", "Bruno"), begin_game_of_deal(deal, "Clara", "David")
    close_deal(deal)
    play_and_resign(game)
    with pytest.raises(CommandError, match="shares its draw"):
        call_command("verify_draw", game.code)
    play_and_resign(other)
    out = StringIO()
    call_command("verify_draw", game.code, other.code, stdout=out)
    assert out.getvalue().count("draws as the seed says") == 2


def test_a_rematch_draws_its_own_tiles() -> None:
    game = play_and_resign(begin_game_of_deal(make_deal(), "Anna", "Bruno"))
    bruno = game.seats.get(index=1).player
    assert bruno is not None
    assert tables.rematch(game_id=game.pk, player=bruno, now=NOW).deal is None


def test_deals_stay_and_say_nothing_of_their_secret() -> None:
    deal = make_deal()
    secret = DealSecret.objects.get(deal=deal)
    assert bytes(secret.seed).hex() not in f"{deal!r} {secret!r} {secret}"
    for delete in (deal.delete, Deal.objects.all().delete):
        with pytest.raises(TypeError):
            delete()
