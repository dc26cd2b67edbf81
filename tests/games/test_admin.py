"""Tests of the admin: it shows everything but the bag, and corrupts nothing."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from games.models import Bag, Kind, Notice
from tests.games.factories import make_game, make_player, play_turns
from tests.html import Page

pytestmark = pytest.mark.django_db
SHOWN = [
    "game", "seat", "move", "tile", "invitation", "message", "notice", "heartbeat", "silentaddress",
    "moderationact",
]  # fmt: skip


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_player("Admin", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", SHOWN)
def test_lists_open_and_can_be_searched(staff: Client, model: str) -> None:
    game = play_turns(make_game(), 3)
    assert staff.get(reverse(f"admin:games_{model}_changelist")).status_code == 200
    assert staff.get(reverse(f"admin:games_{model}_changelist"), {"q": game.code}).status_code == 200


@pytest.mark.parametrize("seats", ["2", "x", "9" * 30, "9" * 5000])
def test_the_number_of_seats_may_be_nonsense(staff: Client, seats: str) -> None:
    assert staff.get(reverse("admin:games_game_changelist"), {"places": seats}).status_code == 200


@pytest.mark.parametrize("model", [name for name in SHOWN if name != "silentaddress"])
def test_rows_can_be_read_but_neither_changed_nor_deleted_nor_added(staff: Client, model: str) -> None:
    play_turns(make_game(), 3)
    rows = apps.get_model("games", model).objects
    if rows.exists():
        page = reverse(f"admin:games_{model}_change", args=[rows.first().pk])
        assert staff.get(page).status_code == 200
        assert staff.post(page, {"name": "x", "score": "99"}).status_code == 403
        delete = reverse(f"admin:games_{model}_delete", args=[rows.first().pk])
        assert staff.post(delete, {"post": "yes"}).status_code == 403
    assert staff.get(reverse(f"admin:games_{model}_add")).status_code == 403
    listed = Page(staff.get(reverse(f"admin:games_{model}_changelist")))
    assert listed.has("#changelist") and "delete_selected" not in listed.values("[name=action] option")


@pytest.mark.parametrize("asked", ["places", "o"])
def test_numbers_of_thousands_of_digits_ask_for_nothing(staff: Client, asked: str) -> None:
    answer = staff.get(reverse("admin:games_game_changelist"), {asked: "9" * 5000}, follow=True)
    assert answer.status_code == 200


def test_leads_to_the_desk(staff: Client) -> None:
    game = play_turns(make_game(), 3)
    address = reverse("moderation:desk_game", args=[game.code])
    for page in ("changelist", "change"):
        shown = Page(
            staff.get(reverse(f"admin:games_game_{page}", args=[game.pk] if page == "change" else []))
        )
        assert shown.link("Moderate this game") == address
        assert shown.link("Moderators' desk") == reverse("moderation:desk")


def test_the_bag_is_nowhere(staff: Client) -> None:
    assert Bag not in admin.site._registry
    game = make_game()
    bag = Bag.objects.get()
    seed = bytes(bag.seed).hex()
    coming = ", ".join(f'"{tile}"' for tile in bag.order[:3])
    for model in SHOWN:
        pages = [staff.get(reverse(f"admin:games_{model}_changelist"))]
        first = apps.get_model("games", model).objects.first()
        if first is not None:
            pages.append(staff.get(reverse(f"admin:games_{model}_change", args=[first.pk])))
        for page in pages:
            shown = Page(page)
            assert shown.has("#content")
            assert not shown.mentions(seed) and not shown.mentions(coming)
    assert not any(field.related_model is Bag for field in game._meta.get_fields() if field.is_relation)
    assert repr(bag) == "a bag"


def test_a_notice_can_be_sent_again(staff: Client, mailoutbox: list[Any]) -> None:
    make_game()
    notice = Notice.objects.get(kind=Kind.YOUR_TURN)
    Notice.objects.update(sent=notice.due)
    told = {"action": "send_again", "_selected_action": [notice.pk]}
    assert staff.post(reverse("admin:games_notice_changelist"), told).status_code == 302
    notice.refresh_from_db()
    assert (notice.sent, notice.claimed) == (None, None)
    assert notice.due > notice.created
