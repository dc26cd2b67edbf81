"""Tests of the removal of addresses of people without an account; limits outlive them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import provisional
from accounts.address_hashes import hash_address
from accounts.admin_addresses import LOOKED
from accounts.export import contents
from accounts.models import Player
from games import play, tables, tasks, upkeep_tasks
from games.exceptions import TooMany
from games.models import Game, Invitation, Notice, Seat, SilentAddress
from games.notices import unsubscribe
from games.selectors.invitation_recipients import find_invited_name
from games.tables.guests import KEPT, close_idle_guests, forget_addresses
from tests.games.factories import NOW, make_player, make_table
from tests.games.guest_helpers import invitation_page, make_guest_game
from tests.html import Page

pytestmark = pytest.mark.django_db
GUEST = "guest@example.net"
DAY = timedelta(days=1)


def invite(game: Game, now: datetime = NOW) -> Invitation:
    return tables.invite(game_id=game.pk, inviter=game.host, address=GUEST, now=now)


def addresses_left() -> set[str]:
    invited = Invitation.objects.values_list("address", flat=True)
    return {*invited, *Notice.objects.values_list("address", flat=True)} - {""}


@pytest.fixture
def declined() -> Invitation:
    """An invitation that was mailed and declined."""
    made = invite(make_table())
    Notice.objects.update(sent=NOW)
    tables.decline(token=made.token, player=None, now=NOW)
    made.refresh_from_db()
    return made


def test_an_address_goes_four_weeks_after_the_answer(declined: Invitation) -> None:
    forget_addresses(NOW + KEPT)
    assert addresses_left() == {GUEST}
    assert forget_addresses(NOW + KEPT + DAY) == 1
    assert addresses_left() == set()
    declined.refresh_from_db()
    assert declined.address_mark == hash_address(GUEST.upper())
    assert GUEST.partition("@")[0] not in declined.address_mark
    assert forget_addresses(NOW + KEPT + DAY) == 0


def test_or_after_the_end_of_the_table() -> None:
    game = make_table()
    invite(game)
    tables.cancel(game_id=game.pk, player=game.host, now=NOW)
    tasks.deliver_notices()  # drops the mail
    forget_addresses(NOW + KEPT + DAY)
    assert addresses_left() == set()


def test_an_open_invitation_keeps_its_address() -> None:
    invite(make_table())
    forget_addresses(NOW + 10 * KEPT)
    assert addresses_left() == {GUEST}


def test_the_beat_does_it(declined: Invitation) -> None:
    entries = [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    assert "games.upkeep_tasks.forget_addresses" in entries
    upkeep_tasks.forget_addresses()  # NOW is long ago
    assert addresses_left() == set()


def test_limits_that_count_by_address_go_on() -> None:
    game = make_table(seats=3)
    made = invite(game)
    tables.withdraw_invitation(invitation_id=made.pk, player=game.host, now=NOW)
    Invitation.objects.update(address="")
    with pytest.raises(TooMany, match="two weeks"):
        invite(make_table(host=game.host), NOW + DAY)


def test_a_wish_for_no_mails_outlives_the_address(declined: Invitation, client: Client) -> None:
    notice = Notice.objects.get(recipient=None)
    forget_addresses(NOW + KEPT + DAY)
    notice.refresh_from_db()
    link = reverse("games:unsubscribe", args=[unsubscribe.build_token(notice)])
    assert "your address" in Page(client.get(link)).text("main")
    client.post(link)
    assert SilentAddress.objects.get().mark == hash_address(GUEST)
    invite(make_table(host=declined.inviter), NOW + KEPT)
    Notice.objects.filter(sent=None).update(due=NOW, next_try=NOW)
    tasks.deliver_notices()
    assert [letter.to for letter in mail.outbox if GUEST in letter.to] == []


def test_nobody_learns_later_whose_address_it_was() -> None:
    game = make_table()
    make_player("Guest")
    Player.objects.filter(username="Guest").update(email=GUEST)
    made = invite(game)
    assert made.player is not None
    tables.decline(token=made.token, player=made.player, now=NOW)
    forget_addresses(NOW + KEPT + DAY)
    made.refresh_from_db()
    assert find_invited_name(made, game.host) == ""
    assert "Guest" not in str(dict(contents(game.host))["invitations.json"])


class TestAdmin:
    """Masked addresses in lists; viewing a whole one is logged."""

    @pytest.fixture
    def boss(self, client: Client) -> Client:
        client.force_login(make_player("Boss", is_staff=True, is_superuser=True))
        return client

    @pytest.mark.parametrize("of", ["games_invitation", "games_notice", "accounts_player"])
    def test_an_address_is_masked_in_lists_and_noted_when_looked_at(self, boss: Client, of: str) -> None:
        invite(make_table())
        row = {
            "games_invitation": Invitation.objects.get(),
            "games_notice": Notice.objects.get(),
            "accounts_player": Player.objects.get(username="Anna"),
        }[of]
        address, shown = (GUEST, "g…@example.net")
        if of == "accounts_player":
            address, shown = ("anna@example.org", "a…@example.org")
        listed = Page(boss.get(reverse(f"admin:{of}_changelist"))).text("#result_list")
        assert shown in listed and address not in listed
        assert not LogEntry.objects.exists()
        page = boss.get(reverse(f"admin:{of}_change", args=[row.pk])).content.decode()
        assert address in page
        entry = LogEntry.objects.get()
        assert (entry.object_id, entry.change_message, entry.user.username) == (str(row.pk), LOOKED, "Boss")
        assert address.partition("@")[0] not in entry.object_repr.lower()

    def test_a_row_without_an_address_is_not_noted(self, boss: Client, declined: Invitation) -> None:
        forget_addresses(NOW + KEPT + DAY)
        assert boss.get(reverse("admin:games_invitation_change", args=[declined.pk])).status_code == 200
        assert not LogEntry.objects.exists()

    def test_rows_are_found_by_the_whole_address(self, boss: Client, declined: Invitation) -> None:
        forget_addresses(NOW + KEPT + DAY)
        SilentAddress.objects.create(mark=hash_address(GUEST), since=NOW)
        for of in ("games_invitation", "games_silentaddress"):
            page = Page(boss.get(reverse(f"admin:{of}_changelist"), {"q": GUEST.upper()}))
            assert len(page.texts("#result_list tbody tr")) == 1
            page = Page(boss.get(reverse(f"admin:{of}_changelist"), {"q": "other@example.net"}))
            assert page.texts("#result_list tbody tr") == []

    def test_every_list_masks_addresses(self) -> None:
        from django.contrib import admin
        from django.db.models import EmailField

        for model, shown in admin.site._registry.items():
            with_address = {f.name for f in model._meta.fields if isinstance(f, EmailField)}
            assert not with_address & set(shown.list_display), model


def test_errors_of_mail_servers_are_kept_without_addresses() -> None:
    from games.notices.delivery import _try_again

    invite(make_table())
    notice = Notice.objects.get()
    _try_again(notice, f"550 <{GUEST}>: no such user")
    notice.refresh_from_db()
    assert notice.last_error == "550 <…@…>: no such user"


class TestGuestsWhoPlayNoMore:
    def test_are_closed_four_weeks_after_their_last_game(self) -> None:
        game, zoe = make_guest_game(address=GUEST, now=NOW)
        Player.objects.filter(pk=zoe.pk).update(date_joined=NOW)
        assert close_idle_guests(NOW + 10 * KEPT) == 0, "the game goes on"
        play.resign(game_id=game.pk, seat=1, now=NOW + DAY)
        assert close_idle_guests(NOW + KEPT) == 0
        assert close_idle_guests(NOW + KEPT + 2 * DAY) == 1
        zoe.refresh_from_db()
        assert zoe.closed and not zoe.provisional and not zoe.email
        assert game.seats.filter(player=zoe).exists()

    def test_who_left_before_the_game_began_are_closed_too(self) -> None:
        table = make_table(seats=3)
        asked = tables.invite_by_link(game_id=table.pk, inviter=table.host, now=NOW)
        zoe, _game = tables.sit_as_guest(
            token=asked.token, name="Zoe", language="en", time_zone="UTC", address="", now=NOW
        )
        Player.objects.filter(pk=zoe.pk).update(date_joined=NOW)
        assert close_idle_guests(NOW + KEPT + DAY) == 0
        tables.leave(game_id=table.pk, player=zoe, now=NOW)
        assert close_idle_guests(NOW + KEPT + DAY) == 1

    def test_who_has_an_invitation_to_answer_stays(self) -> None:
        game, zoe = make_guest_game(address=GUEST, now=NOW)
        Player.objects.filter(pk=zoe.pk).update(date_joined=NOW)
        play.resign(game_id=game.pk, seat=1, now=NOW + DAY)
        again = tables.rematch(game_id=game.pk, player=game.host, now=NOW + KEPT)
        assert close_idle_guests(NOW + KEPT + 2 * DAY) == 0
        tables.cancel(game_id=again.pk, player=game.host, now=NOW + KEPT)
        assert close_idle_guests(NOW + KEPT + 2 * DAY) == 1

    @pytest.mark.parametrize("does", ["makes an account", "sits down"])
    def test_nor_who_comes_back_while_others_are_closed(
        self, monkeypatch: pytest.MonkeyPatch, does: str
    ) -> None:
        game, zoe = make_guest_game(address=GUEST, now=NOW)
        _other, yves = make_guest_game("Yves", host=game.host, now=NOW)
        Player.objects.filter(pk__in=[zoe.pk, yves.pk]).update(date_joined=NOW)
        for seat in Seat.objects.filter(player__in=[zoe, yves]):
            play.resign(game_id=seat.game_id, seat=seat.index, now=NOW)
        closed = []

        def close(*, player: Player, now: datetime) -> None:
            closed.append(player.username)
            if does == "makes an account":
                provisional.create_account(yves, name="Yves")
            else:
                make_table(host=game.host, name="Foix").seats.filter(player=None).update(player=yves)

        monkeypatch.setattr("games.tables.guests.close_account", close)
        close_idle_guests(NOW + KEPT + DAY)
        assert closed == ["Zoe"]

    def test_accounts_stay(self) -> None:
        game, zoe = make_guest_game(address=GUEST, now=NOW)
        play.resign(game_id=game.pk, seat=1, now=NOW + DAY)
        provisional.create_account(zoe, name="Zoe")
        Player.objects.update(date_joined=NOW)
        assert close_idle_guests(NOW + 10 * KEPT) == 0

    def test_the_daily_task_does_it(self) -> None:
        game, zoe = make_guest_game(now=NOW)
        play.resign(game_id=game.pk, seat=1, now=NOW)
        Player.objects.filter(pk=zoe.pk).update(date_joined=NOW)
        upkeep_tasks.forget_addresses()  # NOW is long ago
        zoe.refresh_from_db()
        assert zoe.closed


def test_a_guest_without_an_address_reads_that_no_email_comes_and_chooses_none() -> None:
    for address, told in (("", True), ("zoe@example.org", False)):
        game, guest = make_guest_game("Zoe" if told else "Zora", address=address)
        browser = Client()
        browser.force_login(guest)
        page = Page(browser.get(game.get_absolute_url()))
        assert page.mentions("we can't tell you when it's your turn") == told
        assert page.mentions("Notifications about this game") != told


def test_who_comes_by_a_link_reads_what_the_game_is_and_what_comes_next() -> None:
    table = make_table(now=timezone.now())
    asked = tables.invite_by_link(game_id=table.pk, inviter=table.host, now=timezone.now())
    said = Page(Client().get(invitation_page(asked))).text(".next-step")
    assert said.startswith("Base game · 3 days a move; ")
    assert said.endswith("Choose a name, and you're in: we start when all seats are taken.")
