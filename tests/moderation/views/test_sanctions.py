"""Tests of the desk: moderators' acts on people, and appeals that wait for them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from games import play, tables
from games.clocks import DAY
from games.models import Sanction
from moderation.acts import sanctions
from moderation.models import Appeal
from tests.accounts.signing_in import sign_in
from tests.games.factories import make_game, make_player, make_table
from tests.html import Page
from tests.moderation.sanctioning import moderator, mute, suspend, warned

pytestmark = pytest.mark.django_db


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def mira(client: Client, settings: Any) -> Player:
    player = moderator()
    sign_in(client, player)
    return player


@pytest.fixture
def anna(mira: Player) -> Player:
    return make_player("Anna")


def address(kind: str, name: str = "Anna") -> str:
    return reverse("moderation:sanction", args=[name, kind])


def do(client: Client, where: str, **sent: Any) -> tuple[Page, Any]:
    """Preview an act, confirm it, and return preview and response."""
    fields = {"reason": "Reported twice.", "template": "insults", "version": 0, **sent}
    shown = Page(client.post(where, fields))
    given = {one["name"]: one.get("value", "") for one in shown.all("form.act input[type=hidden]")}
    return shown, client.post(where, given | {"confirmed": "yes"})


def seen(player: Player, **sent: Any) -> dict[str, Any]:
    """The data that a form about *player* sends, with the version."""
    return {"version": sanctions.load_version(player), **sent}


class TestImposing:
    def test_shows_what_is_read_and_done_before_it_is(
        self, client: Client, anna: Player, now: datetime
    ) -> None:
        game = make_game(now=now, name="Albi")
        other = make_table(seats=3, now=now, host=make_player("Clara"))
        make_table(seats=3, now=now)
        tables.sit(game_id=other.pk, player=anna, now=now)
        play.enter_holiday(player=anna, begin=now + 9 * DAY, end=now + 11 * DAY, now=now)
        assert game.awaited == 0
        shown = Page(
            client.post(
                address("suspend"), {"reason": "Twice.", "template": "insults", "days": "7", "version": 0}
            )
        )
        assert "as you would at a real table" in shown.texts(".note")[0]
        assert shown.texts(".effects li") == [
            "1 game is waiting for them, with a running clock: Albi",
            "1 of their open tables is closed.",
            "1 seat at someone else's open table becomes free.",
            "1 future holiday is cancelled.",
        ]
        assert not Sanction.objects.exists()

    @pytest.mark.parametrize(
        ("kind", "stored"), [("warn", "warning"), ("mute", "mute"), ("suspend", "suspension")]
    )
    def test_is_done_when_confirmed(self, client: Client, anna: Player, kind: str, stored: str) -> None:
        _shown, answer = do(client, address(kind), days="3", words="Please.", about="incident 12")
        assert answer.status_code == 302
        made = Sanction.objects.get()
        assert (made.kind, made.template, made.words, made.about) == (
            stored,
            "insults",
            "Please.",
            "incident 12",
        )
        assert made.ends is None or made.ends - made.begun == 3 * DAY

    def test_what_is_missing_is_said(self, client: Client, anna: Player) -> None:
        page = Page(client.post(address("warn"), {"reason": "Twice.", "version": 0}))
        assert "Choose a text" in page.text(".errorlist")

    @pytest.mark.parametrize("kind", ["warn", "mute", "suspend"])
    def test_is_for_moderators_only(self, client: Client, anna: Player, kind: str) -> None:
        sign_in(client, anna)
        assert client.get(address(kind)).status_code == 403
        sign_in(client, moderator())
        for name in ("Mira", moderator("Mona").username):
            assert client.get(address(kind, name)).status_code == 403
        assert client.get(address(kind)).status_code == 200

    def test_the_page_of_a_person_tells_all_in_few_queries(
        self, client: Client, anna: Player, now: datetime, django_assert_max_num_queries: Any
    ) -> None:
        for _one in range(9):
            warned(anna, now)
        with django_assert_max_num_queries(24):
            page = Page(client.get(reverse("moderation:desk_person", args=["Anna"])))
        assert len(page.all("section[aria-labelledby=in-force] li")) == 9
        assert {address(kind) for kind in ("warn", "mute", "suspend")} <= set(page.links())

    def test_a_preview_costs_few_queries(
        self, client: Client, anna: Player, now: datetime, django_assert_max_num_queries: Any
    ) -> None:
        for _one in range(15):
            make_game(now=now)
        with django_assert_max_num_queries(42):
            shown = Page(
                client.post(
                    address("suspend"), {"reason": "Twice.", "template": "insults", "days": "7", "version": 0}
                )
            )
        assert shown.texts(".effects li")[0].startswith("15 games are waiting")


class TestOne:
    def test_can_be_lifted(self, client: Client, anna: Player, now: datetime) -> None:
        made = mute(anna, now)
        page = Page(client.get(reverse("moderation:desk_sanction", args=[made.pk])))
        client.post(page.one("section[aria-labelledby=lift] form")["action"], seen(anna, reason="A mistake."))
        made.refresh_from_db()
        assert (made.lifted_by, made.lifted_why) == (moderator(), "A mistake.")
        page = Page(client.get(reverse("moderation:desk_sanction", args=[made.pk])))
        assert not page.has("section[aria-labelledby=lift]")
        assert len(page.all(".desk-log > li")) == 2

    def test_a_page_that_was_overtaken_is_shown_anew(
        self, client: Client, anna: Player, now: datetime
    ) -> None:
        made, before = mute(anna, now), seen(anna, reason="A mistake.")
        warned(anna, now, who=moderator("Mona"))
        page = Page(client.post(reverse("moderation:lift", args=[made.pk]), before))
        assert page.has(".errorlist") and not Sanction.objects.exclude(lifted=None).exists()
        version = page.one("section[aria-labelledby=lift] [name=version]")["value"]
        client.post(reverse("moderation:lift", args=[made.pk]), {**before, "version": version})
        made.refresh_from_db()
        assert made.lifted_by == moderator()

    def test_is_for_moderators_only(self, client: Client, anna: Player, now: datetime) -> None:
        made = mute(anna, now)
        about_mona = warned(moderator("Mona"), now, who=make_player("Root", is_staff=True, is_superuser=True))
        assert not Page(client.get(reverse("moderation:desk_sanction", args=[about_mona.pk]))).has(
            "form.card, .act"
        )
        client.post(
            reverse("moderation:lift", args=[about_mona.pk]), seen(about_mona.player, reason="A friend.")
        )
        about_mona.refresh_from_db()
        assert about_mona.lifted is None
        sign_in(client, anna)
        for name in ("desk_sanction", "lift", "answer_appeal"):
            method = client.get if name == "desk_sanction" else client.post
            assert method(reverse(f"moderation:{name}", args=[made.pk])).status_code == 403

    def test_there_is_none_of_another_number(self, client: Client, mira: Player) -> None:
        assert client.get(reverse("moderation:desk_sanction", args=[9])).status_code == 404


class TestAppeals:
    @pytest.fixture
    def appeal(self, anna: Player, now: datetime) -> Appeal:
        made = suspend(anna, now)
        return sanctions.appeal(sanction_id=made.pk, player=anna, words="It was my cat.", now=now)

    def page(self, client: Client, appeal: Appeal) -> Page:
        return Page(client.get(reverse("moderation:desk_sanction", args=[appeal.sanction_id])))

    def test_wait_at_the_desk_and_overdue_ones_are_marked(
        self, client: Client, appeal: Appeal, now: datetime
    ) -> None:
        queue = "section[aria-labelledby=appeals] li a"
        desk = reverse("moderation:desk")
        assert Page(client.get(desk)).texts(queue) == ["Anna: suspension"]
        Appeal.objects.update(due=now - DAY)
        page = Page(client.get(desk))
        assert page.texts(queue) == ["Anna: suspension, overdue"]
        assert page.links(queue) == [reverse("moderation:desk_sanction", args=[appeal.sanction_id])]
        assert "Overdue." in self.page(client, appeal).texts("section strong")

    def test_the_one_who_did_it_can_not_answer(self, client: Client, appeal: Appeal) -> None:
        assert not self.page(client, appeal).has("section[aria-labelledby=appeal] form")

    def test_another_moderator_answers(self, client: Client, appeal: Appeal, now: datetime) -> None:
        sign_in(client, moderator("Mona"))
        form = self.page(client, appeal).one("section[aria-labelledby=appeal] form")
        given = seen(appeal.sanction.player, outcome="shortened", words="Half of it.", days="2")
        client.post(form["action"], given)
        appeal.refresh_from_db()
        appeal.sanction.refresh_from_db()
        assert appeal.outcome == "shortened"
        assert appeal.sanction.ends is not None and appeal.sanction.ends < now + 3 * DAY
        assert not Page(client.get(reverse("moderation:desk"))).has("section[aria-labelledby=appeals] li")

    def test_a_page_that_was_overtaken_is_shown_anew(
        self, client: Client, appeal: Appeal, now: datetime
    ) -> None:
        sign_in(client, moderator("Mona"))
        where = reverse("moderation:answer_appeal", args=[appeal.sanction_id])
        before = seen(appeal.sanction.player, outcome="upheld", words="It stands.")
        warned(appeal.sanction.player, now, who=moderator("Olga"))
        page = Page(client.post(where, before))
        client.post(
            where, {**before, "version": page.one("section[aria-labelledby=appeal] [name=version]")["value"]}
        )
        appeal.refresh_from_db()
        assert appeal.answered_by == moderator("Mona")

    def test_what_is_refused_is_said(self, client: Client, appeal: Appeal) -> None:
        sign_in(client, moderator("Mona"))
        where = reverse("moderation:answer_appeal", args=[appeal.sanction_id])
        given = seen(appeal.sanction.player, outcome="shortened", words="Longer!", days="20")
        page = Page(client.post(where, given))
        assert "before the current one" in page.text(".errorlist")
