"""Games that share a draw: the same tiles in the same order, which nobody learns before all are over."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Player
from games import play, tables
from games.clocks import Ladder, Step
from games.models import Bag, Deal, DealSecret, Game, Status
from games.play import bag, positions
from games.play.audit import differences, draw_faults, returned
from games.rules import RuleSet
from games.tables.settings import TableSettings
from tests.games.factories import NOW, make_player, play_turns

pytestmark = pytest.mark.django_db
NO_SUBSTITUTE = Ladder(excuses=0, holiday=False, last=Step.LOSS)


def agreed(seats: int = 2, ladder: Ladder = NO_SUBSTITUTE, **options: Any) -> TableSettings:
    sets = options.pop("sets", ("base",))
    return TableSettings(rules=RuleSet.of(seats=seats, sets=sets, options=options), ladder=ladder)


def new_deal(seats: int = 2, **rules: Any) -> Deal:
    return play.new_deal(rules=agreed(seats, **rules).rules, now=NOW)


def person(name: str) -> Player:
    return Player.objects.filter(username=name).first() or make_player(name)


def sharing(deal: Deal | None, *names: str, **rules: Any) -> Game:
    """A game of those who are called so, with the draw of *deal*."""
    settings = agreed(len(names), **rules)
    return tables.begin_game(players=[person(name) for name in names], settings=settings, now=NOW, deal=deal)


def drawn(game: Game) -> list[str]:
    return list(game.tiles.order_by("draw").values_list("kind", flat=True))


def over(game: Game, turns: int = 2) -> Game:
    """*game* after some *turns*, when whoever is awaited has resigned."""
    game = play_turns(game, turns)
    assert game.awaited is not None
    play.resign(game_id=game.pk, seat=game.awaited, now=NOW)
    game.refresh_from_db()
    assert game.ended
    return game


def closed(deal: Deal) -> Deal:
    play.close_deal(deal_id=deal.pk, now=NOW)
    deal.refresh_from_db()
    return deal


@pytest.mark.parametrize("sets", [("base",), ("base", "river1", "inns-and-cathedrals")])
def test_all_games_draw_the_same_tiles_and_the_draw_can_be_checked(sets: tuple[str, ...]) -> None:
    deal = new_deal(sets=sets)
    games = [sharing(deal, *names, sets=sets) for names in (("Anna", "Bruno"), ("Clara", "David"))]
    closed(deal)
    games = [over(game, 14) for game in games]
    shorter = min(len(drawn(game)) for game in games)
    assert drawn(games[0])[:shorter] == drawn(games[1])[:shorter]
    assert games[0].seed_hash == games[1].seed_hash == deal.seed_hash
    for game in games:
        assert not draw_faults(game) and not differences(game)
        game.tiles.filter(draw=3).update(kind="base.none")
        assert [fault.code for fault in draw_faults(game)] == ["tile"]


def test_another_deal_is_another_order() -> None:
    games = [sharing(new_deal(), "Anna", "Bruno"), sharing(new_deal(), "Clara", "David")]
    first, second = (drawn(game) + Bag.objects.get(game=game).order for game in games)
    assert first != second and sorted(first) == sorted(second)


def test_without_a_deal_a_game_has_its_own_draw_as_before() -> None:
    game = over(sharing(None, "Anna", "Bruno"))
    assert game.deal is None and game.draw_code == game.code and game.shown_seed == game.seed != ""
    assert draw_faults(game) == []


def test_a_deal_of_one_game_is_drawn_as_a_game_of_that_name_would_be() -> None:
    deal = new_deal()
    game = sharing(deal, "Anna", "Bruno")
    seed = bytes(DealSecret.objects.get(deal=deal).seed)
    order = [copy.tile for copy in bag.drawn_order(seed, deal.code, game.rules.bag)]
    assert drawn(game) + Bag.objects.get(game=game).order == order
    assert bag.commitment(seed) == game.seed_hash


def test_the_seed_is_shown_when_no_game_joins_and_all_are_over() -> None:
    deal = new_deal()
    first, second = sharing(deal, "Anna", "Bruno"), sharing(deal, "Clara", "David")
    over(first)
    over(second, turns=0)
    deal.refresh_from_db()
    assert deal.sealed  # a third game could still join
    assert closed(deal).seed
    assert bag.commitment(bytes.fromhex(deal.seed)) == deal.seed_hash
    assert {game.shown_seed for game in Game.objects.all()} == {deal.seed}
    assert {game.seed for game in Game.objects.all()} == {""}


def test_the_last_game_to_end_shows_it() -> None:
    deal = new_deal()
    games = [sharing(deal, *names) for names in (("Anna", "Bruno"), ("Clara", "David"))]
    closed(deal)
    for game in games:
        assert deal.sealed
        over(game)
        deal.refresh_from_db()
    assert not deal.sealed


def test_a_game_that_is_aborted_is_over_too() -> None:
    deal = new_deal()
    game = sharing(deal, "Anna", "Bruno")
    closed(deal)
    assert over(game, turns=0).status == Status.ABORTED
    deal.refresh_from_db()
    assert not deal.sealed


@pytest.mark.parametrize(
    ("names", "rules"),
    [
        (("Anna", "Clara"), {}),  # Anna has seen the tiles
        (("Clara", "David"), {"hand": "three_open"}),
        (("Clara", "David"), {"sets": ("base", "river1")}),
        (("Clara", "David", "Emma"), {}),
        (("Clara", "David"), {"ladder": Ladder(last=Step.SUBSTITUTE)}),
    ],
)
def test_who_may_not_share_it(names: tuple[str, ...], rules: dict[str, Any]) -> None:
    deal = new_deal()
    sharing(deal, "Anna", "Bruno")
    with pytest.raises(ValueError):
        sharing(deal, *names, **rules)
    assert deal.games.count() == 1


def test_nobody_joins_a_closed_deal() -> None:
    deal = closed(new_deal())
    with pytest.raises(ValueError):
        sharing(deal, "Anna", "Bruno")


def test_what_fits_nowhere_goes_back_into_the_bag_by_the_seed_of_the_deal(monkeypatch: Any) -> None:
    """So the order of the games may differ from there on, and still be checked (HR-6)."""
    monkeypatch.setattr(bag, "new_seed", lambda: bytes(32))
    rules: dict[str, Any] = {"unplaceable": "back_in_bag", "board_limit": "fixed 9x9"}
    deal = new_deal(**rules)
    Deal.objects.update(code="twentyfive")
    deal.refresh_from_db()
    game = sharing(deal, "Anna", "Bruno", **rules)
    closed(deal)
    game = play_turns(game)
    play.score(game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert returned(game)
    assert draw_faults(game) == []


def test_a_turn_taken_back_gives_the_tile_back_to_the_front() -> None:
    game = sharing(new_deal(), "Anna", "Bruno")
    before = Bag.objects.get(game=game).order
    action = next(iter(positions.position(game).legal_actions()))
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
    deal = new_deal()
    game, other = sharing(deal, "Anna", "Bruno"), sharing(deal, "Clara", "David")
    closed(deal)
    over(game)
    with pytest.raises(CommandError, match="shares its draw"):
        call_command("verify_draw", game.code)
    over(other)
    out = StringIO()
    call_command("verify_draw", game.code, other.code, stdout=out)
    assert out.getvalue().count("draws as the seed says") == 2


def test_a_rematch_draws_its_own_tiles() -> None:
    game = over(sharing(new_deal(), "Anna", "Bruno"))
    bruno = game.seats.get(index=1).player
    assert bruno is not None
    assert tables.rematch(game_id=game.pk, player=bruno, now=NOW).deal is None


def test_deals_stay_and_say_nothing_of_their_secret() -> None:
    deal = new_deal()
    secret = DealSecret.objects.get(deal=deal)
    assert bytes(secret.seed).hex() not in f"{deal!r} {secret!r} {secret}"
    for delete in (deal.delete, Deal.objects.all().delete):
        with pytest.raises(TypeError):
            delete()
