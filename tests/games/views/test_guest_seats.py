"""Tests of guests: they join by an invitation, play, and create an account later."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import provisional
from accounts.models import BarredAddress, Player, Trace
from accounts.provisional import create_account
from accounts.services import close_account
from games import tables
from games.access import find_chat_room, may_follow, may_join
from games.exceptions import Refused, TooMany
from games.forms.tables import invitees
from games.models import Answer, Game, How, Invitation, Kind, MailOutcome, Notice, SeatState, Status
from games.notices.email import compose
from games.selectors.people import present
from games.tables.follows import follow_player
from tests.accounts.sign_up_helpers import SIGN_UP, read_mailed_code
from tests.games.factories import NOW, heart_beats, make_game, make_player, make_table, play_turns
from tests.games.guest_helpers import invitation_page, make_guest_game, sit_down
from tests.games.mail_in.writing import DOMAIN, answer_last
from tests.games.play.substitute_helpers import time_out
from tests.games.visitors import awaited, first_line, signed_in
from tests.html import Page
from tests.moderation.limiting import set_limit

from .at_tables import said

pytestmark = pytest.mark.django_db
INVITED = "guest@example.com"
CREATE = "/account/create/"


@pytest.fixture
def table() -> Game:
    return make_table(host=make_player("Anna"), visibility="private")


@pytest.fixture
def by_link(table: Game) -> Invitation:
    return tables.invite_by_link(game_id=table.pk, inviter=table.host, now=NOW)


@pytest.fixture
def by_mail(table: Game) -> Invitation:
    return tables.invite(game_id=table.pk, inviter=table.host, address=INVITED, now=NOW)


def follow_mail(asked: Invitation) -> Client:
    """Open the link of the mail in a new browser."""
    match = re.search(r"https?://[^/]+(/i/\S+)", compose(Notice.objects.get(invitation=asked)).body)
    assert match is not None
    browser = Client()
    browser.get(match[1])
    return browser


def shows_link(browser: Client, page: str, link: str) -> bool:
    """Return whether *page* has a field to copy the *link* from."""
    shown = Page(browser.get(page)).all(".place .share input")
    return any(str(one.get("value")).endswith(link) for one in shown)


def play_by_page(game: Game) -> None:
    """Play the first legal turn as the awaited player."""
    form = {"line": first_line(game), "version": game.version}
    awaited(game).post(reverse("games:play", args=[game.code]), form)
    game.refresh_from_db()


class TestSittingDown:
    def test_by_a_link(self, table: Game, by_link: Invitation) -> None:
        browser = Client()
        page = Page(browser.get(invitation_page(by_link)))
        assert "Play as a guest" in page.texts("#content button")
        assert sit_down(browser, by_link).url == reverse("games:table", args=[table.code])
        zoe = Player.objects.get(username="Zoe")
        assert (zoe.provisional, zoe.email, zoe.time_zone) == (True, "", "Europe/Warsaw")
        assert int(browser.session["_auth_user_id"]) == zoe.pk
        table.refresh_from_db()
        assert table.status == Status.PLAYING and not table.rated
        assert "You're playing as a guest" in said(browser.get(reverse("games:mine")))[0]

    def test_by_the_link_of_the_mail_confirms_the_address(self, by_mail: Invitation) -> None:
        browser = follow_mail(by_mail)
        sit_down(browser, by_mail)
        zoe = Player.objects.get(username="Zoe")
        assert zoe.email == INVITED
        assert EmailAddress.objects.filter(user=zoe, email=INVITED, verified=True, primary=True).exists()

    def test_by_the_page_that_was_passed_on_confirms_nothing(self, by_mail: Invitation) -> None:
        sit_down(Client(), by_mail)
        assert Player.objects.get(username="Zoe").email == ""
        assert not EmailAddress.objects.filter(email=INVITED).exists()

    def test_by_the_mail_of_another_invitation_confirms_nothing(
        self, table: Game, by_mail: Invitation
    ) -> None:
        other = make_table(host=table.host, name="Foix")
        link = tables.invite_by_link(game_id=other.pk, inviter=table.host, now=NOW)
        sit_down(follow_mail(by_mail), link)
        assert Player.objects.get(username="Zoe").email == ""

    def test_one_invitation_is_good_for_one_guest(self, by_mail: Invitation) -> None:
        late = follow_mail(by_mail)
        sit_down(follow_mail(by_mail), by_mail)
        response = late.post(
            invitation_page(by_mail), {"answer": "guest", "username": "Yves", "time_zone": "UTC"}, follow=True
        )
        assert "This invitation has already been accepted." in Page(response).one("#content").text
        assert not Player.objects.filter(username="Yves").exists()

    @pytest.mark.parametrize(
        ("name", "why"),
        [
            ("", "This field is required."),
            ("Anna", "already exists"),
            ("Anпa", "Use one alphabet"),
            ("Moderator", "reserved"),
            ("www.example.com", "link"),
            ("x" * 31, "at most"),
        ],
    )
    def test_the_name_passes_the_gate(self, by_link: Invitation, name: str, why: str) -> None:
        page = Page(sit_down(Client(), by_link, name))
        assert why in " ".join(page.texts(".errorlist li"))
        by_link.refresh_from_db()
        assert by_link.answer == Answer.PENDING
        assert not Player.objects.filter(provisional=True).exists()

    def test_a_zone_that_is_none_is_told(self, by_link: Invitation) -> None:
        """The field is hidden: its errors are not."""
        page = Page(sit_down(Client(), by_link, time_zone="Mars/Olympus"))
        assert "Mars/Olympus" in " ".join(page.texts(".errorlist li"))

    def test_at_a_rated_table_needs_an_account(self) -> None:
        table = make_table(rated=True)
        asked = tables.invite_by_link(game_id=table.pk, inviter=table.host, now=NOW)
        browser = Client()
        assert "Play as a guest" not in Page(browser.get(invitation_page(asked))).texts("#content button")
        response = browser.post(
            invitation_page(asked), {"answer": "guest", "username": "Zoe", "time_zone": "UTC"}, follow=True
        )
        assert "rated" in said(response)[0]
        assert not Player.objects.filter(username="Zoe").exists()

    def test_whose_address_has_an_account_signs_in(self, by_mail: Invitation) -> None:
        browser = follow_mail(by_mail)
        Player.objects.create_user("Yves", INVITED)
        response = browser.post(
            invitation_page(by_mail), {"answer": "guest", "username": "Zoe", "time_zone": "UTC"}, follow=True
        )
        assert "Sign in, then accept" in said(response)[0]
        assert not Player.objects.filter(username="Zoe").exists()

    def test_whose_address_is_barred_does_not(self, by_mail: Invitation) -> None:
        browser = follow_mail(by_mail)
        BarredAddress.objects.keep(INVITED, make_player("Yves"), timezone.now() + timedelta(days=9))
        response = browser.post(
            invitation_page(by_mail), {"answer": "guest", "username": "Zoe", "time_zone": "UTC"}, follow=True
        )
        assert "can't be used" in said(response)[0]
        assert not Player.objects.filter(username="Zoe").exists()

    def test_a_network_makes_so_many_guests_an_hour(self, by_link: Invitation, settings: Settings) -> None:
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "1/h/ip"}
        sit_down(Client(), by_link)
        again = make_table(host=by_link.inviter, name="Foix")
        asked = tables.invite_by_link(game_id=again.pk, inviter=by_link.inviter, now=NOW)
        assert sit_down(Client(), asked, "Yves").status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert not Player.objects.filter(username="Yves").exists()

    def test_traces_of_the_browser_are_kept_as_those_of_accounts(self, by_link: Invitation) -> None:
        sit_down(Client(), by_link)
        assert Trace.objects.filter(player__username="Zoe").exists()

    def test_who_is_signed_in_accepts_as_ever(self, by_link: Invitation) -> None:
        bruno = make_player("Bruno")
        browser = Client()
        browser.force_login(bruno)
        browser.post(invitation_page(by_link), {"answer": "guest", "username": "Zoe"})
        assert by_link.game.seats.filter(player=bruno).exists()
        assert not Player.objects.filter(provisional=True).exists()


class TestTheLink:
    def test_is_shown_to_whoever_made_it_and_to_the_host(self) -> None:
        table = make_table(seats=4)
        bruno, clara = make_player("Bruno"), make_player("Clara")
        for player in (bruno, clara):
            tables.sit(game_id=table.pk, player=player, now=NOW)
        page = reverse("games:table", args=[table.code])
        signed_in("Bruno").post(reverse("games:invite_by_link", args=[table.code]))
        link = invitation_page(table.invitations.get())
        names = ("Anna", "Bruno", "Clara")
        assert [shows_link(signed_in(name), page, link) for name in names] == [True, True, False]
        assert not shows_link(Client(), page, link)
        kept = "whoever opens the link"
        assert kept in Page(signed_in("Clara").get(page)).one(".places").text

    def test_is_for_people_at_the_table_to_make(self) -> None:
        table = make_table(seats=4)
        make_player("Bruno")
        response = signed_in("Bruno").post(reverse("games:invite_by_link", args=[table.code]), follow=True)
        assert said(response) == ["You're not at this table."]
        assert not table.invitations.exists()

    def test_counts_as_an_invitation(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "invitations", 1)
        table = make_table(seats=4)
        tables.invite_by_link(game_id=table.pk, inviter=table.host, now=NOW)
        with pytest.raises(TooMany):
            tables.invite_by_link(game_id=table.pk, inviter=table.host, now=NOW)


class TestPlaying:
    def test_turns_are_played_and_mailed_and_told_to_others(self) -> None:
        game, zoe = make_guest_game(address=INVITED)
        heart_beats(timezone.now())
        play_by_page(game)
        assert Notice.objects.filter(recipient=zoe, kind=Kind.YOUR_TURN).exists()
        game.refresh_from_db()
        browser = signed_in("Zoe")
        page = Page(browser.get(reverse("games:table", args=[game.code])))
        assert page.one("#turn")
        play_by_page(game)
        assert Notice.objects.filter(recipient__username="Anna", kind=Kind.YOUR_TURN).exists()

    def test_talks_at_the_table_alone(self) -> None:
        game, zoe = make_guest_game(visibility="link")
        browser = signed_in("Zoe")
        browser.post(reverse("games:talk", args=[game.code]), {"text": "Hello!"})
        assert game.talk.filter(author=zoe, text="Hello!").exists()
        other = make_game()
        response = browser.post(reverse("games:gallery", args=[other.code]), {"text": "Hello!"})
        assert response.url == CREATE
        assert find_chat_room(zoe, other, seated=False) is None

    def test_takes_no_other_seat(self) -> None:
        game, zoe = make_guest_game()
        other = make_table(name="Foix", host=game.host)
        response = signed_in("Zoe").post(reverse("games:sit", args=[other.code]), follow=True)
        assert "Guests need an invitation" in said(response)[0]
        assert not may_join(zoe, other) and not may_follow(zoe, make_game())

    def test_proposes_at_the_table_without_an_address(self) -> None:
        game, zoe = make_guest_game()
        signed_in("Zoe").post(reverse("games:offers", args=[game.code]), {"kind": "end"})
        assert game.offers.filter(seat=game.seats.get(player=zoe).index).exists()

    def test_is_not_listed_and_can_not_be_invited_by_name(self) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        assert not present().filter(pk=zoe.pk).exists()
        with pytest.raises(Refused):
            follow_player(followed=zoe, player=make_player("Yves"), now=NOW)
        with pytest.raises(ValidationError, match="no player called"):
            invitees("Zoe")

    def test_has_a_page_that_says_so_and_can_be_reported(self) -> None:
        make_guest_game()
        page = Page(signed_in("Anna").get(reverse("games:player", args=["Zoe"])))
        assert "A guest, without an account" in page.texts(".who p")
        assert page.all(f"a[href='{reverse('moderation:report_player', args=['Zoe'])}']")
        assert not page.all("a[href*='invite=Zoe']")
        response = signed_in("Anna").get(reverse("moderation:report_player", args=["Zoe"]))
        assert response.status_code == HTTPStatus.OK

    def test_answers_the_mail_and_the_turn_is_played(self, settings: Settings) -> None:
        settings.REPLY_DOMAIN = DOMAIN
        game, zoe = make_guest_game(address="zoe@example.org")
        game = play_turns(game, 1, now=timezone.now())
        assert answer_last("Zoe", first_line(game)).outcome == MailOutcome.PLAYED
        assert game.moves.filter(how=How.MAIL, seat=game.seats.get(player=zoe).index).exists()

    def test_who_signs_out_without_an_address_is_warned(self) -> None:
        make_guest_game()
        browser = signed_in("Zoe")
        assert Page(browser.get("/account/logout/")).one(".note.warning")
        assert "/account/logout/" in Page(browser.get(reverse("games:mine"))).links("#menu a")

    @pytest.mark.parametrize(("address", "goes_on"), [("", True), (INVITED, False)])
    def test_the_session_lasts_as_long_as_somebody_without_an_address_comes(
        self, address: str, goes_on: bool
    ) -> None:
        make_guest_game(address=address)
        browser = signed_in("Zoe")
        browser.get(reverse("games:mine"))
        soon = timezone.now() + timedelta(days=1)
        Session.objects.update(expire_date=soon)
        browser.get(reverse("games:mine"))
        assert Session.objects.get().expire_date == soon, "no page writes it twice a day"
        session = browser.session
        session["renewed"] = "2026-01-01"
        session.save()
        Session.objects.update(expire_date=soon)
        browser.get(reverse("games:mine"))
        assert (Session.objects.get().expire_date > soon + timedelta(days=80)) is goes_on

    def test_who_closes_without_an_address_is_warned(self) -> None:
        make_guest_game()
        assert Page(signed_in("Zoe").get(reverse("accounts:close"))).one(".note.warning")

    def test_a_lost_seat_goes_the_way_of_the_ladder(self) -> None:
        game, zoe = make_guest_game(now=NOW)
        game = time_out(play_turns(game, 5, now=NOW))
        assert game.status == Status.FINISHED
        assert game.seats.get(player=zoe).state == SeatState.TIMED_OUT


class TestMakingAnAccount:
    def test_keeps_the_seat(self) -> None:
        game, zoe = make_guest_game(address=INVITED)
        browser = signed_in("Zoe")
        browser.post(CREATE, {"username": "Zoë M.", "password1": "correct horse battery"})
        zoe.refresh_from_db()
        assert (zoe.provisional, zoe.username) == (False, "Zoë M.")
        assert zoe.check_password("correct horse battery")
        assert game.seats.filter(player=zoe).exists()
        assert browser.get(reverse("games:new")).status_code == HTTPStatus.OK, "still signed in"

    def test_without_a_password_signs_in_by_codes(self) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        signed_in("Zoe").post(CREATE, {"username": "Zoe", "password1": ""})
        zoe.refresh_from_db()
        assert not zoe.provisional and not zoe.has_usable_password()

    def test_in_two_windows_keeps_what_the_first_one_said(self) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        late = Player.objects.get(pk=zoe.pk)
        create_account(zoe, name="Zoe", password="correct horse battery")
        create_account(late, name="Yves")
        zoe.refresh_from_db()
        assert zoe.username == late.username == "Zoe"
        assert zoe.check_password("correct horse battery")

    def test_is_too_late_once_the_guest_is_closed(self) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        late = Player.objects.get(pk=zoe.pk)
        close_account(player=zoe, now=timezone.now())
        create_account(late, name="Yves")
        zoe.refresh_from_db()
        assert zoe.closed and zoe.username != "Yves" and not zoe.has_usable_password()

    def test_in_two_windows_at_once_says_once_that_it_is_ready(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        browser = signed_in("Zoe")

        def create_late(guest: Player, **chosen: str) -> bool:
            create_account(Player.objects.get(pk=zoe.pk), name="Zoe")
            return create_account(guest, **chosen)

        monkeypatch.setattr(provisional, "create_account", create_late)
        response = browser.post(CREATE, {"username": "Yves"}, follow=True)
        assert response.redirect_chain[0][0] == reverse("accounts:settings")
        assert "Your account is ready" not in Page(response).all_text

    @pytest.mark.parametrize(("guest", "name"), [("Zoe1", "Zoel"), ("Zoe1", "ZOE1")])
    def test_a_name_that_looks_like_the_own_one_is_free(self, guest: str, name: str) -> None:
        _game, zoe = make_guest_game(guest, address=INVITED)
        signed_in(guest).post(CREATE, {"username": name})
        zoe.refresh_from_db()
        assert (zoe.provisional, zoe.username) == (False, name)

    def test_asks_for_an_address_first(self) -> None:
        _game, zoe = make_guest_game()
        browser = signed_in("Zoe")
        browser.post(CREATE, {"username": "Zoe"})
        zoe.refresh_from_db()
        assert zoe.provisional
        assert Page(browser.get(CREATE)).one("form[action='/account/email/'] [name=email]")
        confirm = browser.post(reverse("account_email"), {"action_add": "", "email": INVITED}).url
        response = browser.post(confirm, {"code": read_mailed_code(INVITED)})
        assert response.url == CREATE
        zoe.refresh_from_db()
        assert (zoe.email, zoe.provisional) == (INVITED, True)
        browser.post(CREATE, {"username": "Zoe"})
        zoe.refresh_from_db()
        assert not zoe.provisional

    def test_not_with_an_address_that_is_barred(self) -> None:
        _game, zoe = make_guest_game()
        BarredAddress.objects.keep(INVITED, make_player("Yves"), timezone.now() + timedelta(days=9))
        browser = signed_in("Zoe")
        response = browser.post(reverse("account_email"), {"action_add": "", "email": INVITED}, follow=True)
        assert Page(response).one("[name=code]"), "as for any other address"
        assert "was suspended" in mail.outbox[-1].body.replace("\n", " ")
        browser.post(response.redirect_chain[-1][0], {"code": "ABCD-EFGH"})
        zoe.refresh_from_db()
        assert not zoe.email and not EmailAddress.objects.filter(user=zoe).exists()

    @pytest.mark.parametrize(("address", "speaks"), [("", False), (INVITED, True)])
    def test_no_old_address_is_spoken_of_where_there_is_none(self, address: str, speaks: bool) -> None:
        make_guest_game(address=address)
        page = Page(
            signed_in("Zoe").post(reverse("account_email"), {"action_add": "", "email": "no address"})
        )
        assert page.all(".errorlist li")
        assert ("The old one stays" in page.one("#content").text) is speaks

    @pytest.mark.parametrize("name", ["Anna", "Moderator", ""])
    def test_another_name_passes_the_gate(self, name: str) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        assert Page(signed_in("Zoe").post(CREATE, {"username": name})).all(".errorlist li")
        zoe.refresh_from_db()
        assert (zoe.provisional, zoe.username) == (True, "Zoe")

    def test_a_weak_password_is_refused(self) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        page = Page(signed_in("Zoe").post(CREATE, {"username": "Zoe", "password1": "password12"}))
        assert page.all(".errorlist li")
        zoe.refresh_from_db()
        assert zoe.provisional

    def test_signing_up_leads_there(self) -> None:
        make_guest_game()
        assert signed_in("Zoe").get(reverse("account_signup")).url == CREATE

    def test_who_signs_up_elsewhere_with_the_address_is_told_how(self) -> None:
        make_guest_game(address=INVITED)
        Client().post(reverse("account_signup"), {**SIGN_UP, "username": "Zoe2", "email": INVITED})
        assert "as a guest" in mail.outbox[-1].body
        assert reverse("account_request_login_code") in mail.outbox[-1].body

    def test_the_guest_comes_back_by_a_code(self) -> None:
        _game, zoe = make_guest_game(address=INVITED)
        browser = Client()
        confirm = browser.post(reverse("account_request_login_code"), {"email": INVITED}).url
        browser.post(confirm, {"code": read_mailed_code(INVITED)})
        assert int(browser.session["_auth_user_id"]) == zoe.pk

    def test_is_nothing_for_accounts(self) -> None:
        make_player("Anna")
        assert signed_in("Anna").get(CREATE).url == reverse("accounts:settings")
