"""Tests of notices of other applications: games store and deliver them, the applications write them."""

from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import Player
from games import hooks
from games.models import Kind, Notice
from games.notices import delivery, unsubscribe
from games.notices.letters import NoticeLetter
from tests.games.factories import NOW, make_player
from tests.html import Page
from tests.preferences import wants_mails

pytestmark = pytest.mark.django_db


def owed(player: Player, **about: Any) -> Notice:
    return Notice.objects.create(
        key=f"league.try.{player.pk}",
        kind=Kind.LEAGUE,
        about=about,
        recipient=player,
        created=NOW,
        due=NOW,
        next_try=NOW,
    )


@pytest.fixture(autouse=True)
def writer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook that writes such notices."""

    def write(notice: Notice) -> NoticeLetter | None:
        if "news" not in notice.about:
            return None
        facts = {"paragraphs": [notice.about["news"]], "button": "Look", "board_url": "https://x.example/"}
        return NoticeLetter("News of Foix", facts, thread="league.7")

    monkeypatch.setitem(hooks.LETTERS._values, Kind.LEAGUE.value, hooks.LetterSource(write))


def test_they_are_sent_once_and_kept_together() -> None:
    owed(make_player("Anna"), news="Anna leads.")
    delivery.deliver_due(seconds=5)
    delivery.deliver_due(seconds=5)
    (message,) = mail.outbox
    assert (message.subject, message.extra_headers["References"]) == (
        "News of Foix",
        "<league.7@carcassonne.example>",
    )
    assert "Anna leads.\n\nLook:\nhttps://x.example/" in message.body


def test_what_does_not_matter_any_more_is_dropped() -> None:
    notice = owed(make_player("Anna"))
    delivery.deliver_due(seconds=5)
    notice.refresh_from_db()
    assert (mail.outbox, notice.sent, notice.why_dropped) == ([], None, "stale")


def test_one_click_stops_them_by_kind(client: Client) -> None:
    anna = make_player("Anna")
    stop = reverse("games:unsubscribe", args=[unsubscribe.build_token(owed(anna, news="-"))])
    page = Page(client.get(stop))
    assert page.texts("form label") == [
        "No more emails of this kind: leagues and tournaments",
        "No more emails about games at all",
    ]
    client.post(stop, {"List-Unsubscribe": "One-Click"})
    anna.refresh_from_db()
    assert not wants_mails(anna, "league")
    delivery.deliver_due(seconds=5)
    assert Notice.objects.get().why_dropped == "unwanted"


def test_every_other_notice_is_about_a_game() -> None:
    notice = owed(make_player("Anna"))
    with pytest.raises(IntegrityError), transaction.atomic():
        Notice.objects.filter(pk=notice.pk).update(kind=Kind.STARTED)
