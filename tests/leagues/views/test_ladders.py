"""Tests of the page of a ladder, and of challenging there."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games import play
from games.clocks import DAY
from games.models import Block, Game
from leagues import seasons
from leagues.models import Challenge
from leagues.settings import ChallengeRules
from tests.games.factories import make_player
from tests.html import Page
from tests.leagues.ladder_helpers import challenge_player, read_ladder_order, resign_games_of
from tests.leagues.season_helpers import BEGINS, get_numbered_player
from tests.leagues.views.ladder_page_helpers import LADDER_URL, make_running_ladder

pytestmark = pytest.mark.django_db


def rungs(page: Page) -> list[str]:
    return [" ".join(rung.get_text(" ").split()) for rung in page.all(".rungs > li")]


def test_says_whom_one_may_challenge_and_why_not(client: Client) -> None:
    season = make_running_ladder(6)
    now = timezone.now()
    challenge_player(season, 2, 1, now)
    client.force_login(get_numbered_player(4))
    page = Page(client.get(f"{LADDER_URL}1/"))
    assert page.text("h1") == "Ladder"
    assert rungs(page) == [
        "1 Player00 too far above you",
        "2 Player01 plays against Player02",
        "3 Player02 plays against Player01",
        "4 Player03 Challenge",
        "5 Player04 you",
        "6 Player05",
    ]
    assert page.texts(".open .told") == ["Player02 challenges Player01 for their place."]


def test_challenging_begins_a_game(client: Client) -> None:
    season = make_running_ladder(3)
    client.force_login(get_numbered_player(2))
    button = Page(client.get(f"{LADDER_URL}1/")).all(".rungs button")[0]
    sent = client.post(f"{LADDER_URL}challenge/", {button["name"]: button["value"]}, follow=True)
    assert sent.redirect_chain[-1][0] == f"{LADDER_URL}1/"
    page = Page(sent)
    assert page.has(".message.success") and not page.has(".rungs button")
    assert rungs(page)[:2] == ["1 Player00 plays against Player02", "2 Player01 you are in a challenge"]
    game = Game.objects.get()
    assert page.links(".matches.own .match-games a") == [f"/g/{game.code}/"]
    assert Challenge.objects.get().challenged == get_numbered_player(0)
    page = Page(client.post(f"{LADDER_URL}challenge/", {"player": get_numbered_player(1).pk}, follow=True))
    assert page.texts(".message.error") == ["You're already in a challenge."]
    resign_games_of(0, timezone.now())
    page = Page(client.get(f"{LADDER_URL}1/"))
    assert read_ladder_order(season) == "201"
    assert page.texts(".ended .told") == ["Player00 declined once too often, so Player02 takes the place."]


def test_who_is_not_there_can_join_while_it_runs(client: Client) -> None:
    season = make_running_ladder(3)
    assert Page(client.get(f"{LADDER_URL}1/")).has("main a[href*='login']")
    client.force_login(make_player("Player09"))
    page = Page(client.get(f"{LADDER_URL}1/"))
    assert not page.has(".rungs button")
    client.post(str(page.one("form.register")["action"]))
    assert read_ladder_order(season) == "0129"
    page = Page(client.get(f"{LADDER_URL}1/"))
    assert not page.has("form.register") and len(page.all(".rungs button")) == 3


def test_who_has_held_the_place_is_told(client: Client) -> None:
    season = make_running_ladder(3)
    challenge_player(season, 2, 0, timezone.now())
    seasons.withdraw(season_id=season.pk, player=get_numbered_player(2), now=timezone.now())
    resign_games_of(2, timezone.now())
    page = Page(client.get(f"{LADDER_URL}1/"))
    assert page.texts(".ended .told") == ["Player00 has defended the place against Player02."]
    assert rungs(page) == ["1 Player00", "2 Player01"]
    assert Page(client.get(LADDER_URL)).rows(".standings tbody tr") == [
        ["1", "Player00", ""],
        ["2", "Player01", ""],
    ]


def test_only_posts_of_players_challenge(client: Client) -> None:
    make_running_ladder(2)
    assert client.post(f"{LADDER_URL}challenge/", {"player": get_numbered_player(0).pk}).status_code == 302
    client.force_login(get_numbered_player(1))
    assert client.get(f"{LADDER_URL}challenge/").status_code == 405
    for asked in ("", "x", "9" * 5000, "999999"):
        assert client.post(f"{LADDER_URL}challenge/", {"player": asked}).status_code == 404
    assert not Challenge.objects.exists()


@pytest.mark.parametrize("players", [4, 14])
def test_costs_the_same_however_many_play(
    client: Client, django_assert_max_num_queries: Any, players: int
) -> None:
    season = make_running_ladder(players)
    for two in range(0, players, 2):
        challenge_player(season, two + 1, two, BEGINS + two * DAY / 100)
    for loser in range(0, players // 2, 2):
        resign_games_of(loser, BEGINS + DAY)
    client.force_login(get_numbered_player(0))
    for url in (LADDER_URL, f"{LADDER_URL}1/", "/leagues/cup-of-foix/"):
        with django_assert_max_num_queries(17 if url == "/leagues/cup-of-foix/" else 12):
            assert client.get(url).status_code == 200


def test_the_challenged_declines_after_a_question(client: Client) -> None:
    season = make_running_ladder(3, challenges=ChallengeRules(declines=1))
    challenge_player(season, 2, 1, timezone.now())
    client.force_login(get_numbered_player(2))
    assert not Page(client.get(f"{LADDER_URL}1/")).has("form.decline")
    client.force_login(get_numbered_player(1))
    form = Page(client.get(f"{LADDER_URL}1/")).one("form.decline")
    assert "You can decline 1 more challenge this season" in " ".join(form.get_text(" ").split())
    assert Page(client.post(str(form["action"]))).text("h1") == "Decline this challenge?"
    assert Challenge.objects.get().ended is None
    page = Page(client.post(str(form["action"]), {"sure": "yes"}, follow=True))
    assert page.texts(".message.success") == ["You've declined the challenge."]
    assert page.texts(".ended .told") == [
        "Player02 challenged Player01. The challenge was declined, and nobody moves."
    ]
    page = Page(client.post(str(form["action"]), {"sure": "yes"}, follow=True))
    assert page.texts(".message.error") == ["You have no challenge to decline."]


def test_says_who_is_away(client: Client) -> None:
    make_running_ladder(3)
    now = timezone.now()
    play.enter_holiday(player=get_numbered_player(1), begin=now, end=now + 3 * DAY, now=now)
    client.force_login(get_numbered_player(2))
    page = Page(client.get(f"{LADDER_URL}1/"))
    assert rungs(page)[:2] == ["1 Player00 Challenge", "2 Player01 is away"]
    page = Page(client.post(f"{LADDER_URL}challenge/", {"player": get_numbered_player(1).pk}, follow=True))
    assert page.texts(".message.error") == ["They're away just now: wait until they're back."]


def test_a_challenge_between_two_who_are_kept_apart_says_that_nobody_moves(client: Client) -> None:
    make_running_ladder(4)
    mine, other = get_numbered_player(3), get_numbered_player(1)
    Block.objects.create(player=mine, blocked=other, since=timezone.now() - 3 * DAY)
    client.force_login(mine)
    page = Page(client.post(f"{LADDER_URL}challenge/", {"player": other.pk}, follow=True))
    assert page.texts(".message.info") == ["This challenge counts as declined, so nobody moves."]
    assert page.texts(".ended .told") == [
        "Player03 challenged Player01. The challenge was declined, and nobody moves."
    ]
    assert not Game.objects.exists()
