"""Tests of moderators' decisions on a player's pages: their own page, the line above the games, and the
board."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import tables
from games.conduct import active_sanctions
from games.models import Game
from moderation.acts import sanctions
from moderation.models import Appeal, AppealOutcome
from tests.games.factories import make_player, make_table, new_process
from tests.games.views.at_tables import SETTINGS
from tests.games.visitors import awaited, begun, first_line, send, url
from tests.html import Page
from tests.moderation.sanctioning import DAY, moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db
LINE = "#messages .message.warning"


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def anna(client: Client) -> Player:
    player = make_player("Anna")
    client.force_login(player)
    return player


def conduct(client: Client) -> Page:
    return Page(client.get(reverse("moderation:conduct")))


class TestPage:
    def test_says_what_was_told_and_what_it_means(self, client: Client, anna: Player, now: datetime) -> None:
        warned(anna, now, words="On Sunday.")
        page = conduct(client)
        assert page.texts("section h2") == ["A warning"]
        assert page.texts("section .note")[1] == "On Sunday."
        assert "clocks keep running" in page.text("section > p:not(.muted, .note)")

    def test_nothing_where_there_is_nothing(self, client: Client, anna: Player) -> None:
        assert not conduct(client).has("main section")

    def test_nobody_else_s_is_there(self, client: Client, anna: Player, now: datetime) -> None:
        made = warned(make_player("Bruno"), now)
        assert not conduct(client).has("main section")
        client.post(reverse("moderation:acknowledge", args=[made.pk]))
        made.refresh_from_db()
        assert made.acknowledged is None
        client.post(reverse("moderation:appeal", args=[made.pk]), {"words": "Please."})
        assert not Appeal.objects.exists()

    def test_a_button_says_that_one_has_read_it(self, client: Client, anna: Player, now: datetime) -> None:
        warned(anna, now)
        page = conduct(client)
        client.post(page.one("section > form")["action"])
        assert active_sanctions.find_unread_warning(anna) is None
        assert page.texts("section > form button") == ["I have read this"]
        assert "I have read this" not in conduct(client).texts("button")

    def test_one_can_appeal_once(self, client: Client, anna: Player, now: datetime) -> None:
        made = suspend(anna, now)
        form = conduct(client).one("section details form")
        client.post(form["action"], {"words": "It was my cat."})
        page = conduct(client)
        assert page.text("blockquote") == "It was my cat."
        assert "will answer by" in page.text("section h3 ~ p")
        assert not page.has("section details")
        Appeal.objects.update(due=now - DAY)
        assert "overdue" in conduct(client).text("section h3 ~ p")
        sanctions.answer(
            appeal_id=Appeal.objects.get(sanction=made).pk,
            who=moderator("Mona"),
            outcome=AppealOutcome.LIFTED,
            words="So it was.",
            now=now,
        )
        page = conduct(client)
        assert page.texts("blockquote") == ["It was my cat.", "So it was."]
        assert page.text("section h3 ~ p") == "It has been lifted."

    @pytest.mark.parametrize("count", [1, 12])
    def test_costs_the_same_for_many(
        self, client: Client, anna: Player, now: datetime, count: int, django_assert_max_num_queries: Any
    ) -> None:
        for _one in range(count):
            warned(anna, now)
        with django_assert_max_num_queries(5):
            conduct(client)


class TestLine:
    @pytest.mark.parametrize(
        ("sanction", "said"), [(warned, "a warning"), (mute, "muted until"), (suspend, "suspended until")]
    )
    def test_stands_above_the_games(
        self, client: Client, anna: Player, now: datetime, sanction: Any, said: str
    ) -> None:
        mine = reverse("games:mine")
        assert not Page(client.get(mine)).has(LINE)
        made = sanction(anna, now)
        page = Page(client.get(mine))
        assert said in page.text(LINE)
        assert page.links(f"{LINE} a") == [reverse("moderation:conduct")]
        sanctions.lift(sanction_id=made.pk, who=moderator(), why="A mistake.", now=now)
        assert not Page(client.get(mine)).has(LINE)

    def test_a_mute_that_was_read_needs_none(self, client: Client, anna: Player, now: datetime) -> None:
        made = mute(anna, now)
        sanctions.acknowledge(sanction_id=made.pk, player=anna, now=now)
        assert not Page(client.get(reverse("games:mine"))).has(LINE)


class TestRefusalsElsewhere:
    """Refusals on pages other than a board, with their reason."""

    @pytest.mark.parametrize("sanction", [warned, suspend])
    def test_no_game_with_the_house_bot_begins(
        self, client: Client, anna: Player, now: datetime, sanction: Any
    ) -> None:
        sanction(anna, now)
        answer = client.post(reverse("games:play_bot"), follow=True)
        assert answer.status_code == 200
        assert Page(answer).has("#messages .message.error")
        assert not Game.objects.exists()

    @pytest.mark.parametrize("sanction", [warned, suspend])
    def test_an_invitation_can_not_be_accepted(
        self, client: Client, anna: Player, now: datetime, sanction: Any
    ) -> None:
        table = make_table(seats=3, now=now, host=make_player("Bruno"))
        asked = tables.invite(game_id=table.pk, inviter=table.host, player=anna, now=now)
        sanction(anna, now)
        answer = client.post(
            reverse("games:invitation", args=[asked.token]), {"answer": "accept"}, follow=True
        )
        assert answer.status_code < 500
        assert not table.seats.filter(player=anna).exists()

    def test_no_holiday_and_no_emergency_begins(self, client: Client, anna: Player, now: datetime) -> None:
        suspend(anna, now)
        sent = {"begin": "2040-01-01", "end": "2040-01-03", "days": "2"}
        for name in ("enter_holiday", "begin_emergency"):
            answer = client.post(reverse(f"games:{name}"), sent, follow=True)
            assert answer.status_code == 200

    def test_the_form_of_a_table_says_why(self, client: Client, anna: Player, now: datetime) -> None:
        suspend(anna, now)
        answer = client.post(reverse("games:new"), SETTINGS)
        assert any("suspended until" in said for said in Page(answer).texts("main .errorlist"))


class TestBoard:
    def test_the_line_stands_there_and_a_turn_is_refused_in_words(self, now: datetime) -> None:
        game = begun()
        client = awaited(game)
        warned(Player.objects.get(username="Anna"), now)
        page = Page(client.get(url(game)))
        assert "a warning" in page.text(LINE)
        answer = send(client, game, first_line(game))
        assert answer.status_code == 409
        assert "as you would at a real table" in " ".join(Page(answer).texts("main .note.error"))
        game.refresh_from_db()
        assert game.ply == 0

    def test_costs_one_query_more_for_who_was_sanctioned(
        self, now: datetime, django_assert_max_num_queries: Any
    ) -> None:
        game = begun()
        client = awaited(game)
        new_process()
        with django_assert_max_num_queries(12):
            client.get(url(game))
        suspend(Player.objects.get(username="Anna"), now)
        with django_assert_max_num_queries(13):
            client.get(url(game))
