"""Tests of a player's mails at the moderators' desk, with their delivery."""

import pytest
from django.utils import timezone

from accounts import mail_pauses
from accounts.models import PauseCause, Player
from games import tasks
from tests.games.factories import make_game
from tests.games.visitors import signed_in
from tests.html import Page
from tests.moderation.sanctioning import moderator

pytestmark = pytest.mark.django_db
ADDRESS = "/desk/p/Anna/mails/"


@pytest.mark.parametrize(("visibility", "names"), [("public", ["Toulouse"]), ("private", [])])
def test_lists_them_with_what_the_moderator_may_see(visibility: str, names: list[str]) -> None:
    make_game(now=timezone.now(), name="Toulouse", visibility=visibility)
    moderator("Mira")
    tasks.deliver_notices()
    page = Page(signed_in("Mira").get(ADDRESS))
    assert page.texts("#mails strong") == ["Your turn"]
    assert page.texts("#mails a") == names
    assert page.texts("#mails .outcome") == ["Sent"]


def test_says_why_none_are_sent() -> None:
    make_game(now=timezone.now())
    moderator("Mira")
    anna = Player.objects.get(username="Anna")
    mail_pauses.pause(anna, PauseCause.BOUNCED, address=anna.email, now=timezone.now())
    browser = signed_in("Mira")
    assert "An email bounced" in Page(browser.get(ADDRESS)).one(".note.warning").text
    assert ADDRESS in Page(browser.get("/desk/p/Anna/")).links(".ways-out a")


def test_is_for_moderators_and_not_about_themselves() -> None:
    make_game(now=timezone.now())
    moderator("Mira")
    assert signed_in("Bruno").get(ADDRESS).status_code == 403
    assert signed_in("Mira").get("/desk/p/Mira/mails/").status_code == 403
