"""Tests of the page of one's own mails, and of the line on every page while mails are paused."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import mail_pauses
from accounts.models import PauseCause, Player
from games import tasks
from games.models import Channel, DropReason, Game, Kind, Notice, Visibility
from games.models.notice import KEPT
from tests.games.factories import make_game, make_player
from tests.games.visitors import signed_in
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return make_game(now=timezone.now(), name="Toulouse")


@pytest.fixture
def client(game: Game) -> Client:
    return signed_in("Anna")


def anna() -> Player:
    return Player.objects.get(username="Anna")


def owe(number: int = 1, **values: Any) -> list[Notice]:
    """Add notices to Anna about a table to the outbox."""
    now = timezone.now()
    times = {"created": now, "due": now, "next_try": now}
    about = {"kind": Kind.TABLE, "recipient": anna(), "game": Game.objects.get(name="Toulouse")}
    return Notice.objects.bulk_create(
        Notice(key=f"test.{number}.{at}", **{**times, **about, **values}) for at in range(number)
    )


class TestPage:
    def test_is_its_owners(self) -> None:
        assert Client().get("/mails/").url == "/account/login/?next=/mails/"

    def test_is_linked_from_the_settings(self, client: Client) -> None:
        assert Page(client.get("/account/settings/")).link("Emails we sent you") == "/mails/"

    def test_lists_what_was_owed_to_the_player_alone(self, client: Client, game: Game) -> None:
        tasks.deliver_notices()
        page = Page(client.get("/mails/"))
        assert page.texts("#mails strong") == ["Your turn"]
        assert page.links("#mails a") == [f"/g/{game.code}/"]
        assert page.texts("#mails a") == ["Toulouse"]
        assert page.texts("#mails .outcome") == ["Sent"]
        (small,) = page.texts("#mails small")
        assert small.startswith("due ") and ", sent " in small and small.endswith("· email")

    def test_begins_with_the_newest_and_goes_on_by_page(self, client: Client) -> None:
        owe(25)
        owe(kind=Kind.NUDGE)
        first = Page(client.get("/mails/"))
        second = Page(client.get("/mails/" + first.link("Next")))
        said = [page.texts("#mails strong") for page in (first, second)]
        assert [len(page) for page in said] == [20, 7]
        assert (said[0][0], said[1][-1]) == ("A table of yours that no one has joined", "Your turn")
        assert Page(client.get("/mails/" + second.link("Back"))).texts("#mails strong") == said[0]

    def test_reaches_back_as_far_as_notices_are_kept(self, client: Client) -> None:
        Notice.objects.update(created=timezone.now() - KEPT)
        page = Page(client.get("/mails/"))
        assert not page.has("#mails") and page.mentions("No emails yet.")

    def test_links_no_game_that_the_player_cannot_see(self, client: Client) -> None:
        other = make_game(now=timezone.now(), name="Hidden", visibility=Visibility.PRIVATE)
        other.seats.filter(player=anna()).update(player=make_player("Carl"))
        assert other.notices.filter(recipient=anna()).exists()
        page = Page(client.get("/mails/"))
        assert page.texts("#mails a") == ["Toulouse"] and not page.mentions("Hidden")

    def test_links_messages_from_moderators(self, client: Client) -> None:
        owe(kind=Kind.CONDUCT, game=None)
        assert Page(client.get("/mails/")).texts("#mails a") == ["Messages from moderators", "Toulouse"]

    def test_costs_as_many_queries_for_many_mails_as_for_one(
        self, client: Client, django_assert_max_num_queries: Any
    ) -> None:
        client.get("/mails/")
        for number in (1, 30):
            owe(number)
            with django_assert_max_num_queries(
                6
            ):  # session, player, mails, games, unused replies, games waiting
                client.get("/mails/")


class TestOutcome:
    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({}, "waiting to be sent"),
            ({"attempts": 1}, "not sent yet: we'll try again"),
            ({"sent": timezone.now()}, "sent"),
            ({"sent": timezone.now(), "fate": "delivered"}, "delivered"),
            ({"sent": timezone.now(), "fate": "bounced"}, "bounced"),
            ({"sent": timezone.now(), "fate": "complained"}, "reported as spam"),
            (
                {"dropped": timezone.now(), "why_dropped": "told"},
                "not sent: another email had already told you",
            ),
            (
                {"kind": Kind.YOUR_TURN, "dropped": timezone.now(), "why_dropped": "stale"},
                "not sent: you had already played",
            ),
            (
                {"kind": Kind.NUDGE, "dropped": timezone.now(), "why_dropped": "stale"},
                "not sent: it was no longer needed",
            ),
        ],
    )
    def test_is_said_in_words(self, values: dict[str, Any], said: str) -> None:
        assert Notice(**values).outcome == said

    @pytest.mark.parametrize("reason", DropReason.values)
    def test_has_words_for_each_reason_why_a_mail_was_dropped(self, reason: str) -> None:
        """The database knows no other reasons (``notice_drop_reason_known``)."""
        said = Notice(dropped=timezone.now(), why_dropped=reason).outcome
        assert said.startswith("not sent: ") and len(said) > len("not sent: ") + len(reason)

    def test_of_notifications_is_about_devices(self) -> None:
        refused = {"dropped": timezone.now(), "why_dropped": DropReason.REFUSED}
        assert Notice(channel=Channel.PUSH, **refused).outcome == "not sent: no device accepted it"


class TestPause:
    LINES = {
        PauseCause.BOUNCED: (
            "Emails to your address bounce, so we've stopped sending them. Emails we sent you"
        ),
        PauseCause.REFUSED: (
            "Emails to your address bounce, so we've stopped sending them. Emails we sent you"
        ),
        PauseCause.COMPLAINED: (
            "One of our emails to you was reported as spam, so we've stopped sending them. Emails we sent you"
        ),
    }

    def pause(self, cause: PauseCause) -> None:
        mail_pauses.pause(anna(), cause, address="anna@example.org", now=timezone.now())

    @pytest.mark.parametrize("cause", PauseCause)
    def test_is_said_on_every_page(self, client: Client, game: Game, cause: PauseCause) -> None:
        self.pause(cause)
        for address in ("/games/", "/account/settings/", f"/g/{game.code}/", "/lobby/"):
            page = Page(client.get(address))
            assert page.texts("#messages .message") == [self.LINES[cause]]
            assert page.links("#messages .message a") == ["/mails/"]

    def test_is_said_to_its_player_alone(self, client: Client, game: Game) -> None:
        self.pause(PauseCause.BOUNCED)
        for browser in (signed_in("Bruno"), Client()):
            assert not Page(browser.get(f"/g/{game.code}/")).has("#messages .message")

    def test_costs_no_query(self, client: Client, django_assert_max_num_queries: Any) -> None:
        client.get("/lobby/")
        with django_assert_max_num_queries(100) as before:
            client.get("/lobby/")
        self.pause(PauseCause.BOUNCED)
        with django_assert_max_num_queries(len(before)):
            client.get("/lobby/")

    def test_ends_when_the_player_asks_for_mails_again(self, client: Client) -> None:
        self.pause(PauseCause.BOUNCED)
        page = Page(client.get("/mails/"))
        assert page.link("Change address") == "/account/email/"
        after = Page(client.post(page.one("form.card")["action"], follow=True))
        assert after.texts("#messages .message") == ["We're sending you emails again."]
        assert not after.has("form.card") and anna().mail_paused is None
