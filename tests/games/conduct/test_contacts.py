"""Tests of limits on invitations, proposals and rematches by sender, recipient and pair, and of the pause
after a refusal."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.roles import ORGANISER
from accounts.services import close_account
from games import play, tables, upkeep_tasks
from games.conduct import contacts, limits
from games.exceptions import Refused, TooMany
from games.models import Contact, Game, Invitation, Kind, Notice, Proposal
from tests.games.factories import NOW, make_game, make_player, make_table, play_turns, sign_up_only
from tests.html import Page
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
WEEK = 7 * DAY


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


@pytest.fixture
def bruno() -> Player:
    return make_player("Bruno")


def invite(inviter: Player, *, now: datetime = NOW, host: Player | None = None, **whom: Any) -> Invitation:
    """Invite somebody to a new table, of *host* or of the inviter."""
    table = make_table(host=host or inviter, seats=3, now=now)
    if host is not None:
        tables.sit(game_id=table.pk, player=inviter, now=now)
    return tables.invite(game_id=table.pk, inviter=inviter, now=now, **whom)


def refused(service: Callable[..., Any], *args: Any, **arguments: Any) -> str:
    """The code with which *service* refuses; checks that it has changed nothing."""
    before = [model.objects.count() for model in (Contact, Invitation, Notice)]
    with pytest.raises(TooMany) as error:
        service(*args, **arguments)
    assert error.value.message.endswith(".")
    assert [model.objects.count() for model in (Contact, Invitation, Notice)] == before
    return error.value.code


def decline(invitation: Invitation, player: Player | None, now: datetime = NOW) -> None:
    tables.decline(token=invitation.token, player=player, now=now)


def ended_game(now: datetime = NOW) -> Game:
    """Make a finished game of Anna and Bruno."""
    game = play_turns(make_game(now=now), 4, now=now)
    return play.resign(game_id=game.pk, seat=0, now=now + HOUR)


class TestRecipients:
    def test_of_many_senders_are_invited_twenty_times_a_day(self, bruno: Player) -> None:
        hosts = [make_player(f"Host{number}") for number in range(5)]
        for host in hosts[:4]:
            for _ in range(5):
                invite(host, player=bruno)
        assert refused(invite, hosts[4], player=bruno) == "much_invited"
        invite(hosts[4], player=make_player("Clara"))
        invite(hosts[4], player=bruno, now=NOW + DAY)

    def test_two_senders_share_what_one_recipient_gets(
        self, anna: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_limit(monkeypatch, "invitations_to_player", 3)
        clara = make_player("Clara")
        invite(anna, player=clara)
        invite(bruno, player=clara)
        invite(anna, player=clara)
        assert refused(invite, bruno, player=clara) == "much_invited"
        assert refused(invite, anna, player=clara) == "much_invited"

    def test_the_right_to_more_does_not_lift_them(
        self, anna: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        anna.groups.add(Group.objects.get(name=ORGANISER))
        organiser = Player.objects.get(pk=anna.pk)
        for _ in range(5):
            invite(organiser, player=bruno)
        assert refused(invite, organiser, player=bruno) == "invited_often"
        set_limit(monkeypatch, "invitations_to_player", 0)
        assert refused(invite, organiser, player=make_player("Clara")) == "much_invited"

    def test_who_is_reached_by_address_has_as_much_but_no_refusal_tells_whose_it_is(
        self, anna: Player, bruno: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        set_limit(monkeypatch, "invitations_to_one", 1)
        invite(anna, player=bruno)
        by_address = invite(anna, address=bruno.email)
        assert by_address.player is None, "the seat is kept, and nobody is told"
        assert Notice.objects.filter(kind=Kind.INVITATION).count() == 1
        set_limit(monkeypatch, "invitations_to_player", 1)
        other = invite(make_player("Clara"), address=bruno.email)
        assert other.player is None and Notice.objects.filter(kind=Kind.INVITATION).count() == 1


class TestPairs:
    def test_withdrawing_does_not_help(self, anna: Player, bruno: Player) -> None:
        table = make_table(host=anna)
        for _ in range(5):
            asked = tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=NOW)
            tables.withdraw_invitation(invitation_id=asked.pk, player=anna, now=NOW)
        assert refused(invite, anna, player=bruno) == "invited_often"

    def test_rematches_of_different_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "rematches_with_one", 2)
        games = [ended_game() for _ in range(3)]
        anna = games[0].host
        for game in games[:2]:
            tables.rematch(game_id=game.pk, player=anna, now=NOW)
        assert refused(tables.rematch, game_id=games[2].pk, player=anna, now=NOW) == "invited_often"
        tables.rematch(game_id=games[2].pk, player=Player.objects.get(username="Bruno"), now=NOW)

    def test_proposals_in_all_games_together(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "proposals_to_one", 2)
        games = [make_game() for _ in range(3)]
        for game in games[:2]:
            play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=NOW)
        asked = {"game_id": games[2].pk, "kind": Proposal.END, "now": NOW}
        assert refused(play.propose, seat=0, **asked) == "too_much_for_them"
        assert not games[2].offers.exists()
        play.propose(seat=1, **asked)

    def test_giving_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "time_given_to_one", 1)
        games = [make_game() for _ in range(2)]
        play.give_days(game_id=games[0].pk, seat=0, days=1, now=NOW)
        code = refused(play.give_days, game_id=games[1].pk, seat=0, days=1, now=NOW)
        assert code == "too_much_for_them"

    def test_taking_seats_back(self, anna: Player, bruno: Player) -> None:
        for _ in range(4):
            table = make_table(host=anna, seats=3)
            tables.sit(game_id=table.pk, player=bruno, now=NOW)
            given = {"game_id": table.pk, "player": anna, "seat": 1, "now": NOW}
            if _ < 3:
                tables.remove_guest(**given)
        assert refused(tables.remove_guest, **given) == "too_much_for_them"
        assert table.seats.get(index=1).player == bruno


class TestSenders:
    def test_propose_a_hundred_things_a_day(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert limits.get_maximum("proposals") == 100
        set_limit(monkeypatch, "proposals", 2)
        game = make_game(seats=3)  # two are asked
        play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=NOW)
        another = make_game()
        asked = {"game_id": another.pk, "kind": Proposal.END, "seat": 0}
        assert refused(play.propose, **asked, now=NOW) == "too_much_today"
        play.propose(**asked, now=NOW + DAY)

    def test_the_page_of_the_game_says_so(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "proposals", 0)
        game = play_turns(make_game(now=timezone.now()), 4, now=timezone.now())
        client.force_login(game.host)
        response = client.post(f"/g/{game.code}/offers/", {"kind": "end"})
        assert response.status_code == 429
        assert Page(response).text("#too-many") == Refused("too_much_today").message

    def test_with_an_unconfirmed_address_invite_nobody(self, bruno: Player) -> None:
        unknown = sign_up_only("Anna")
        table = make_table(host=unknown)
        for whom in ({"player": bruno}, {"address": "zoe@example.com"}):
            with pytest.raises(Refused, match="Confirm your email address"):
                tables.invite(game_id=table.pk, inviter=unknown, now=NOW, **whom)
        assert not Notice.objects.exists() and not Contact.objects.exists()


class TestUnconfirmed:
    def test_are_not_told_of_what_others_do(self) -> None:
        game = make_game()
        bruno = Player.objects.get(username="Bruno")
        play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=NOW)
        assert Notice.objects.filter(kind=Kind.TABLE, recipient=bruno).count() == 1
        EmailAddress.objects.filter(user=bruno).update(verified=False)
        play.give_days(game_id=game.pk, seat=0, days=1, now=NOW)
        assert Notice.objects.filter(kind=Kind.TABLE, recipient=bruno).count() == 1

    def test_get_no_mail_about_a_rematch(self) -> None:
        game = ended_game()
        bruno = Player.objects.get(username="Bruno")
        EmailAddress.objects.filter(user=bruno).update(verified=False)
        tables.rematch(game_id=game.pk, player=game.host, now=NOW)
        assert not Notice.objects.filter(kind=Kind.INVITATION).exists()


class TestRestAfterNo:
    def test_the_same_person_waits_a_week(self, anna: Player, bruno: Player) -> None:
        decline(invite(anna, player=bruno), bruno)
        assert refused(invite, anna, player=bruno, now=NOW + WEEK - HOUR) == "declined_lately"
        invite(anna, player=make_player("Clara"))
        invite(bruno, player=anna)
        invite(anna, player=bruno, now=NOW + WEEK)

    def test_so_do_others_at_tables_of_the_same_host(self, anna: Player, bruno: Player) -> None:
        clara = make_player("Clara")
        decline(invite(clara, host=anna, player=bruno), bruno)
        assert refused(invite, anna, player=bruno) == "declined_lately"
        assert refused(invite, clara, player=bruno) == "declined_lately"
        assert refused(invite, make_player("David"), host=anna, player=bruno) == "declined_lately"
        invite(make_player("Emma"), player=bruno)

    def test_the_page_says_so(self, anna: Player, bruno: Player, client: Client) -> None:
        now = timezone.now()
        decline(invite(anna, player=bruno, now=now), bruno, now)
        table = make_table(host=anna)
        client.force_login(anna)
        response = client.post(f"/g/{table.code}/invite/", {"who": "Bruno"})
        assert response.status_code == 429
        assert Page(response).text("#messages .message") == f"Bruno: {Refused('declined_lately').message}"

    def test_a_rematch_too(self) -> None:
        first, second = ended_game(), ended_game()
        anna, bruno = first.host, Player.objects.get(username="Bruno")
        tables.rematch(game_id=first.pk, player=anna, now=NOW)
        decline(Invitation.objects.get(), bruno)
        assert refused(tables.rematch, game_id=second.pk, player=anna, now=NOW) == "declined_lately"
        assert second.rematches.count() == 0
        tables.rematch(game_id=second.pk, player=bruno, now=NOW)

    def test_an_address_waits_for_inviter_and_host(self, anna: Player) -> None:
        clara = make_player("Clara")
        decline(invite(clara, host=anna, address="zoe@example.com"), None)
        for inviter in (anna, clara):
            assert refused(invite, inviter, address="zoe@example.com") == "declined_lately"
        invite(anna, address="zoe@example.com", now=NOW + WEEK)
        invite(make_player("David"), address="zoe@example.com")

    def test_by_name_nobody_reads_that_it_was_declined_by_address(self, anna: Player, bruno: Player) -> None:
        decline(invite(anna, address=bruno.email), bruno)
        told = Notice.objects.filter(kind=Kind.INVITATION).count()
        assert invite(anna, player=bruno).player == bruno, "it is in the list of Bruno"
        assert Notice.objects.filter(kind=Kind.INVITATION).count() == told, "but no mail tells"

    def test_by_address_nobody_reads_that_it_was_declined_by_name(self, anna: Player, bruno: Player) -> None:
        decline(invite(anna, player=bruno), bruno)
        told = Notice.objects.filter(kind=Kind.INVITATION).count()
        assert invite(anna, address=bruno.email).player is None
        assert Notice.objects.filter(kind=Kind.INVITATION).count() == told


class TestRows:
    def test_are_deleted_when_no_limit_counts_them_any_more(self, anna: Player, bruno: Player) -> None:
        longest = max(limit.within for limit in limits.LIMITS.values() if limit.acts and limit.within)
        assert max(longest, contacts.REST) < contacts.KEPT
        invite(anna, player=bruno, now=timezone.now() - contacts.KEPT - HOUR)
        invite(anna, player=bruno, now=timezone.now())
        upkeep_tasks.prune_notices()
        assert Contact.objects.count() == 1

    def test_go_with_either_account(self, anna: Player, bruno: Player) -> None:
        clara = make_player("Clara")
        invite(anna, player=bruno)
        invite(bruno, player=clara)
        invite(clara, player=anna)
        close_account(player=bruno, now=NOW)
        assert [contact.sender for contact in Contact.objects.all()] == [clara]
