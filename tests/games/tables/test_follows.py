"""Tests of following games and people: permissions, visibility, and the end."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.services import close_account
from games import play
from games.exceptions import Refused
from games.models import FollowedGame, FollowedPlayer, Game
from games.selectors.my_games import load_my_games
from games.selectors.waiting import load_parts_of_my_games
from games.tables import follows
from tests.games.factories import NOW, make_game, make_player, make_players, make_table, play_turns
from tests.html import Page
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db


def followed_by(player: Any) -> list[str]:
    return [game.name for game in load_my_games(player, NOW).followed]


class TestGames:
    def test_a_game_of_others_is_listed_until_some_time_after_its_end(self) -> None:
        zoe, game = make_player("Zoe"), make_game(name="Foix")
        follows.follow_game(game=game, player=zoe, now=NOW)
        follows.follow_game(game=game, player=zoe, now=NOW)  # a second click
        assert followed_by(zoe) == ["Foix"]
        play.resign(game_id=play_turns(game, 4).pk, seat=0, now=NOW)
        assert followed_by(zoe) == ["Foix"]
        assert load_my_games(zoe, NOW + timedelta(days=30)).followed == []

    def test_the_latest_turn_or_end_comes_first(self) -> None:
        zoe = make_player("Zoe")
        over = play_turns(make_game(name="Over"), 4)
        early, late = make_game(name="Early"), make_game(name="Late", now=NOW.replace(hour=13))
        for game in (over, early, late):
            follows.follow_game(game=game, player=zoe, now=NOW)
        play.resign(game_id=over.pk, seat=0, now=NOW.replace(hour=14))
        assert followed_by(zoe) == ["Over", "Late", "Early"]

    def test_no_longer(self) -> None:
        zoe, game = make_player("Zoe"), make_game()
        follows.follow_game(game=game, player=zoe, now=NOW)
        follows.unfollow_game(game=game, player=zoe)
        follows.unfollow_game(game=game, player=zoe)
        assert followed_by(zoe) == []

    @pytest.mark.parametrize(
        "make",
        [
            lambda: make_game(visibility="private"),
            lambda: make_table(),
            lambda: play.resign(game_id=play_turns(make_game(), 4).pk, seat=0, now=NOW),
        ],
        ids=["private", "open", "over"],
    )
    def test_others_can_t_be_followed(self, make: Any) -> None:
        game = make()
        with pytest.raises(Refused, match="followed"):
            follows.follow_game(game=game, player=make_player("Zoe"), now=NOW)
        assert not FollowedGame.objects.exists()

    def test_one_s_own_is_in_the_list_anyway(self) -> None:
        game = make_game()
        with pytest.raises(Refused):
            follows.follow_game(game=game, player=make_players(1)[0], now=NOW)

    def test_there_is_an_end_to_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "games_followed", 1)
        zoe = make_player("Zoe")
        first, second = make_game(), make_game()
        follows.follow_game(game=first, player=zoe, now=NOW)
        with pytest.raises(Refused):
            follows.follow_game(game=second, player=zoe, now=NOW)
        play.resign(game_id=play_turns(first, 4).pk, seat=0, now=NOW)  # ended games don't count
        follows.follow_game(game=second, player=zoe, now=NOW)

    def test_a_game_that_becomes_private_is_shown_no_more(self) -> None:
        zoe, game = make_player("Zoe"), make_game()
        follows.follow_game(game=game, player=zoe, now=NOW)
        Game.objects.filter(pk=game.pk).update(visibility="private")
        assert followed_by(zoe) == []

    def test_a_move_there_is_news(self) -> None:
        zoe, game = make_player("Zoe"), make_game()
        follows.follow_game(game=game, player=zoe, now=NOW)
        before = load_parts_of_my_games(zoe, NOW).stamp
        play_turns(game, 1)
        assert load_parts_of_my_games(zoe, NOW).stamp != before
        (followed,) = load_my_games(zoe, NOW).followed
        assert followed.news and not followed.is_own_turn  # type: ignore[attr-defined]

    def test_the_switch_stands_on_the_page_of_the_game_for_onlookers_alone(self, client: Client) -> None:
        zoe, game = make_player("Zoe"), make_game(name="Foix")
        page = f"/g/{game.code}/"
        assert not Page(client.get(page)).has("form.follow")
        client.force_login(make_players(1)[0])
        assert not Page(client.get(page)).has("form.follow")
        client.force_login(zoe)
        for said, then in (("Follow", "Unfollow"), ("Unfollow", "Follow")):
            button = Page(client.get(page)).one("form.follow button")
            assert button.get_text() == said
            sent = client.post(f"{page}follow/", {button["name"]: button["value"]}, follow=True)
            assert Page(sent).text("form.follow button") == then
        assert not FollowedGame.objects.exists()

    def test_my_games_show_them_under_a_heading_of_their_own(self, client: Client) -> None:
        zoe, game = make_player("Zoe"), make_game(name="Foix")
        follows.follow_game(game=game, player=zoe, now=NOW)
        client.force_login(zoe)
        (section,) = Page(client.get("/games/")).all(".desk-main section")
        assert section.h2.get_text() == "Games you follow"
        assert [next(name.stripped_strings) for name in section.select(".rows h3")] == ["Foix"]

    def test_what_is_refused_is_told_at_the_table(self, client: Client) -> None:
        game = make_game()
        client.force_login(make_players(1)[0])
        sent = client.post(f"/g/{game.code}/follow/", {"follow": "yes"}, follow=True)
        assert sent.redirect_chain[-1][0] == f"/g/{game.code}/"
        assert Page(sent).texts(".message.error") == ["This can't be followed."]

    def test_to_a_stranger_a_private_game_is_not_there(self, client: Client) -> None:
        game = make_game(visibility="private")
        client.force_login(make_player("Zoe"))
        assert client.post(f"/g/{game.code}/follow/", {"follow": "yes"}).status_code == 404


class TestPlayers:
    def test_twice_is_once_and_no_longer_is_the_end(self) -> None:
        anna, bruno = make_players(2)
        follows.follow_player(followed=bruno, player=anna, now=NOW)
        follows.follow_player(followed=bruno, player=anna, now=NOW)
        assert FollowedPlayer.objects.get().followed == bruno
        follows.unfollow_player(followed=bruno, player=anna)
        assert not FollowedPlayer.objects.exists()

    def test_nobody_follows_oneself_or_who_is_gone(self) -> None:
        anna, bruno = make_players(2)
        close_account(player=bruno, now=NOW)
        bruno.refresh_from_db()
        for nobody in (anna, bruno):
            with pytest.raises(Refused):
                follows.follow_player(followed=nobody, player=anna, now=NOW)

    def test_there_is_an_end_to_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "players_followed", 1)
        anna, bruno, clara = make_players(3)
        follows.follow_player(followed=bruno, player=anna, now=NOW)
        with pytest.raises(Refused):
            follows.follow_player(followed=clara, player=anna, now=NOW)


def test_with_the_account_goes_what_it_followed_and_who_followed_it() -> None:
    anna, bruno, clara = make_players(3)
    game = make_game()
    follows.follow_game(game=game, player=clara, now=NOW)
    follows.follow_player(followed=clara, player=anna, now=NOW)
    follows.follow_player(followed=bruno, player=clara, now=NOW)
    follows.follow_player(followed=bruno, player=anna, now=NOW)
    close_account(player=clara, now=NOW)
    assert not FollowedGame.objects.exists()
    assert [(row.player, row.followed) for row in FollowedPlayer.objects.all()] == [(anna, bruno)]
