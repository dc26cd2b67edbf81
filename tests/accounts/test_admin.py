"""Players in the admin: to be looked at, searched, and closed."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Player
from accounts.services import close_account
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "seven tiles of road"))
    return client


def test_players_are_listed_and_found(admin: Client, anna: Player) -> None:
    page = Page(admin.get(reverse("admin:accounts_player_changelist"), {"q": "anna@"}))
    assert page.texts("#result_list tbody th") == ["Anna"]
    assert admin.get(reverse("admin:accounts_player_change", args=[anna.pk])).status_code == 200


def test_a_player_is_neither_added_nor_deleted(admin: Client, anna: Player) -> None:
    assert admin.get(reverse("admin:accounts_player_add")).status_code == 403
    assert (
        admin.post(reverse("admin:accounts_player_delete", args=[anna.pk]), {"post": "yes"}).status_code
        == 403
    )
    assert Player.objects.filter(pk=anna.pk).exists()


def test_accounts_are_closed_by_an_action(admin: Client, anna: Player) -> None:
    answers = {"action": "close", "_selected_action": [anna.pk]}
    admin.post(reverse("admin:accounts_player_changelist"), answers)
    anna.refresh_from_db()
    assert anna.closed is not None
    assert anna.username == f"closed-{anna.pk}"


def test_the_admin_s_own_records_forget_the_name_too(admin: Client, anna: Player) -> None:
    answers = {"username": "Anna", "language": "is", "time_zone": "UTC", "theme": "light", "is_active": "on"}
    admin.post(reverse("admin:accounts_player_change", args=[anna.pk]), answers)
    assert LogEntry.objects.get().object_repr == "Anna"
    close_account(player=anna, now=timezone.now())
    assert LogEntry.objects.get().object_repr == f"closed-{anna.pk}"


def test_nobody_gives_themselves_more_than_they_have(client: Client, anna: Player) -> None:
    anna.is_staff = True
    anna.save()
    anna.user_permissions.set(Permission.objects.filter(codename__in=["change_player", "view_player"]))
    client.force_login(anna)
    answers = {"username": "Anna", "language": "is", "time_zone": "UTC", "theme": "light", "is_active": "on"}
    more = {"is_superuser": "on", "groups": [Group.objects.create(name="everything").pk]}
    client.post(reverse("admin:accounts_player_change", args=[anna.pk]), answers | more)
    anna.refresh_from_db()
    assert (anna.language, anna.is_superuser, anna.is_staff, anna.groups.count()) == ("is", False, True, 0)


def test_the_address_and_the_record_can_not_be_written(admin: Client, anna: Player) -> None:
    answers = {
        "username": "Anne",
        "email": "evil@example.org",
        "language": "en",
        "time_zone": "UTC",
        "theme": "light",
        "is_active": "on",
    }
    response = admin.post(reverse("admin:accounts_player_change", args=[anna.pk]), answers)
    assert response.status_code == 302, response.context["adminform"].errors
    anna.refresh_from_db()
    assert (anna.username, anna.email) == ("Anne", "anna@example.org")


def test_the_admins_own_sign_in_is_the_sites(client: Client) -> None:
    response = client.get(reverse("admin:index"), follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("account_login"))
