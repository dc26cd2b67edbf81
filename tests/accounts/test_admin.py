"""Tests of players in the admin: viewing, searching, changing and closing."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import acts
from accounts.models import AccountAct, AccountActKind, Player
from accounts.ranks import Rank
from accounts.roles import ADMINISTRATOR
from accounts.services import close_account
from tests.html import Page

pytestmark = pytest.mark.django_db
CHANGE_LIST = reverse("admin:accounts_player_changelist")


def change(client: Client, player: Player, **answers: Any) -> Any:
    """Send the form of *player* with these answers; others stay as they are."""
    same = {name: getattr(player, name) for name in ("username", "email", "language", "time_zone", "theme")}
    answers = {**same, "is_active": "on", "why": "as agreed", **answers}
    answers.setdefault("version", acts.load_version(player))
    flags = {"shows_looks": "on"} if player.shows_looks else {}
    return client.post(reverse("admin:accounts_player_change", args=[player.pk]), {**flags, **answers})


def do(client: Client, action: str, *players: Player, why: str = "because", **sent: Any) -> Any:
    """Choose an *action* of the list, and confirm it."""
    answers = {"action": action, "_selected_action": [player.pk for player in players], "why": why}
    shown = client.post(CHANGE_LIST, answers)
    if shown.status_code != 200:
        return shown
    versions = {
        str(element["name"]): str(element["value"])
        for element in Page(shown).all("#content input[name^=version_]")
    }
    return client.post(CHANGE_LIST, {**answers, **versions, "confirmed": "yes", **sent})


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "seven tiles of road"))
    return client


def test_players_are_listed_and_found(admin: Client, anna: Player) -> None:
    page = Page(admin.get(reverse("admin:accounts_player_changelist"), {"q": "Anna@example.org"}))
    assert page.texts("#result_list tbody th") == ["Anna"]
    assert admin.get(reverse("admin:accounts_player_change", args=[anna.pk])).status_code == 200


def test_a_player_is_neither_added_nor_deleted(admin: Client, anna: Player) -> None:
    assert admin.get(reverse("admin:accounts_player_add")).status_code == 403
    assert (
        admin.post(reverse("admin:accounts_player_delete", args=[anna.pk]), {"post": "yes"}).status_code
        == 403
    )
    assert Player.objects.filter(pk=anna.pk).exists()


def test_accounts_are_closed_by_an_action_that_says_why(admin: Client, anna: Player) -> None:
    do(admin, "close", anna, why="")
    anna.refresh_from_db()
    assert anna.closed is None
    do(admin, "close", anna, why="asked by mail")
    anna.refresh_from_db()
    assert anna.closed is not None
    assert anna.username == f"closed-{anna.pk}"
    act = AccountAct.objects.get()
    assert (act.actor.username, act.player, act.act, act.why) == (
        "root",
        anna,
        AccountActKind.CLOSE,
        "asked by mail",
    )


def test_the_admin_s_own_records_forget_the_name_too(admin: Client, anna: Player) -> None:
    change(admin, anna, username="Anne")
    assert LogEntry.objects.get().object_repr == "Anne"
    assert AccountAct.objects.get().before == {"username": "Anna"}
    close_account(player=anna, now=timezone.now())
    assert LogEntry.objects.get().object_repr == f"closed-{anna.pk}"
    assert AccountAct.objects.get().before == {}


def test_a_change_is_written_down_with_its_reason_or_not_made(admin: Client, anna: Player) -> None:
    refused = change(admin, anna, username="Anne", why="")
    assert refused.status_code == 200
    assert not AccountAct.objects.exists() and Player.objects.filter(username="Anna").exists()
    assert change(admin, anna, username="Anne", is_staff="on").status_code == 302
    (act,) = AccountAct.objects.all()
    assert (act.act, act.why) == (AccountActKind.RANK, "as agreed")
    assert (act.before, act.after) == (
        {"username": "Anna", "is_staff": False},
        {"username": "Anne", "is_staff": True},
    )
    assert Player.objects.get_by_natural_key("ANNE").username == "Anne"
    page = Page(admin.get(reverse("admin:accounts_accountact_changelist")))
    assert page.texts("#result_list td.field-why") == ["as agreed"]


def test_the_log_of_acts_is_only_ever_added_to(admin: Client, anna: Player) -> None:
    change(admin, anna, username="Anne")
    act = AccountAct.objects.get()
    for spoil in (act.save, act.delete, AccountAct.objects.all().delete):
        with pytest.raises(TypeError):
            spoil()
    with pytest.raises(TypeError):
        AccountAct.objects.update(why="")
    for way in ("change", "delete"):
        answer = admin.post(reverse(f"admin:accounts_accountact_{way}", args=[act.pk]), {"post": "yes"})
        assert answer.status_code == 403


def staff(name: str, rank: Rank) -> Player:
    """Make a member of staff of that *rank* who may change players in the admin."""
    player = Player.objects.create_user(name, f"{name}@example.org", is_staff=rank > Rank.PLAYER)
    player.is_superuser = rank == Rank.SUPERUSER
    player.save()
    player.user_permissions.set(Permission.objects.filter(codename__in=["change_player", "view_player"]))
    if rank == Rank.ADMINISTRATOR:
        player.groups.add(Group.objects.get_or_create(name=ADMINISTRATOR)[0])
    return player


@pytest.mark.parametrize("rank", list(Rank))
@pytest.mark.parametrize("actor_rank", [Rank.STAFF, Rank.ADMINISTRATOR, Rank.SUPERUSER])
def test_who_may_change_whom_follows_rank_for_every_action(
    client: Client, actor_rank: Rank, rank: Rank
) -> None:
    actor, player = staff("actor", actor_rank), staff("other", rank)
    Authenticator.objects.create(user=player, type=Authenticator.Type.TOTP, data={})
    allowed = actor_rank == Rank.SUPERUSER or actor_rank > rank
    client.force_login(actor)
    assert change(client, player, username="Renamed").status_code == (302 if allowed else 403)
    assert Player.objects.filter(username="Renamed").exists() is allowed
    for action in ("sign_out", "remove_second_factor", "close"):
        before = AccountAct.objects.count()
        assert do(client, action, player).status_code == 302
        assert AccountAct.objects.count() == before + allowed
    player.refresh_from_db()
    assert (player.session_round > 0, player.closed is not None) == (allowed, allowed)
    assert Authenticator.objects.exists() is not allowed


def test_one_who_may_not_be_changed_keeps_all_from_being_changed(client: Client, anna: Player) -> None:
    client.force_login(staff("actor", Rank.STAFF))
    root = staff("root", Rank.SUPERUSER)
    do(client, "close", anna, root)
    assert not Player.objects.exclude(closed=None).exists()


@pytest.mark.parametrize("key", ["0x10", "", " ", "1.5", "²", "9" * 40, "9" * 5000, "1\0", "None"])
def test_an_action_on_what_is_no_row_is_refused(admin: Client, key: str) -> None:
    for page in (CHANGE_LIST, reverse("admin:auth_group_changelist")):
        answers = {"action": "delete_selected", "_selected_action": ["1", key], "why": "because"}
        assert admin.post(page, answers).status_code == 400
    assert Group.objects.exists()


def test_nobody_gives_themselves_more_than_they_have(client: Client, anna: Player) -> None:
    actor = staff("actor", Rank.ADMINISTRATOR)
    client.force_login(actor)
    more = {"is_staff": "on", "is_superuser": "on", "groups": [Group.objects.create(name="everything").pk]}
    assert change(client, actor, **more).status_code == 403
    assert change(client, anna, language="is", email="evil@example.org", **more).status_code == 302
    anna.refresh_from_db()
    assert (anna.language, anna.is_superuser, anna.is_staff, anna.groups.count()) == ("is", False, False, 0)
    assert anna.email == "anna@example.org"
    actor.user_permissions.set(Permission.objects.filter(content_type__app_label="auth"))
    assert client.get(reverse("admin:auth_group_changelist")).status_code == 403


def test_a_superuser_gives_an_address_which_must_be_confirmed_and_can_be_undone(
    admin: Client, anna: Player
) -> None:
    assert change(admin, anna, email="New@example.org").status_code == 302
    anna.refresh_from_db()
    (address,) = anna.emailaddress_set.all()
    assert (anna.email, address.email, address.verified) == ("new@example.org", "new@example.org", False)
    assert AccountAct.objects.get().act == AccountActKind.ADDRESS
    assert anna.address_changes.get().old == "anna@example.org"


def test_ways_into_accounts_are_not_in_the_admin(admin: Client) -> None:
    index = Page(admin.get(reverse("admin:index")))
    shown = {link.split("/")[2] for link in index.links("#content a[href^='/admin/']")}
    assert not shown & {"account", "mfa", "usersessions"}


def test_the_admins_own_sign_in_is_the_sites(client: Client) -> None:
    response = client.get(reverse("admin:index"), follow=True)
    assert response.redirect_chain[-1][0].startswith(reverse("account_login"))
