"""Tests of limits for one person. Every row of the tables in ``docs/limits.md`` names its test."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import Player
from accounts.roles import ADMINISTRATOR, MODERATOR, ORGANISER
from games import play, tables
from games.conduct import limits
from games.exceptions import Refused, TooMany
from games.models import Game, Invitation, Kind, Message, Notice, Proposal, Status, Visibility
from games.notices import delivery
from games.rules import RuleSet
from games.tables.settings import TableSettings
from tests.games.factories import NOW, make_game, make_player, make_players, make_table, play_turns
from tests.games.views.at_tables import SETTINGS
from tests.html import Page
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[3]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


def too_many(service: Callable[..., Any], **arguments: Any) -> str:
    """The code with which *service* refuses; checks that the message is a sentence."""
    arguments.setdefault("now", NOW)
    with pytest.raises(TooMany) as error:
        service(**arguments)
    assert error.value.message.endswith(".")
    return error.value.code


def table_of(host: Player, *, now: datetime = NOW, **chosen: Any) -> Game:
    """Set up a table as on the page, each with another name."""
    chosen.setdefault("visibility", Visibility.LINK)
    name = f"Table {Game.objects.count()}"
    game, new = tables.set_up(
        host=host, settings=TableSettings(rules=RuleSet.of(seats=2), name=name, **chosen), now=now
    )
    assert new
    return game


def beyond(player: Player) -> Player:
    """Make *player* an organiser, and reload their permissions."""
    player.groups.add(Group.objects.get(name=ORGANISER))
    return Player.objects.get(pk=player.pk)


class TestTables:
    def test_ten_public_ones_wait_and_no_more(self, anna: Player) -> None:
        public = {"host": anna, "visibility": Visibility.PUBLIC}
        first = table_of(**public)
        for _ in range(9):
            table_of(**public)
        settings = TableSettings(rules=RuleSet.of(seats=2), name="Another", visibility=Visibility.PUBLIC)
        assert too_many(tables.set_up, host=anna, settings=settings) == "too_many_tables"
        table_of(anna)
        tables.cancel(game_id=first.pk, player=anna, now=NOW)
        table_of(**public)
        table_of(make_player("Bruno"), visibility=Visibility.PUBLIC)

    def test_thirty_wait_in_all(self, anna: Player) -> None:
        for _ in range(30):
            table_of(anna)
        settings = TableSettings(rules=RuleSet.of(seats=2), name="Another", visibility=Visibility.PRIVATE)
        assert too_many(tables.set_up, host=anna, settings=settings) == "too_many_tables"
        assert tables.set_up(host=beyond(anna), settings=settings, now=NOW)[1]

    def test_fifty_a_day(self, anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        assert limits.get_maximum("tables") == 50
        set_limit(monkeypatch, "tables", 3)
        for _ in range(3):
            tables.cancel(game_id=table_of(anna).pk, player=anna, now=NOW)
        settings = TableSettings(rules=RuleSet.of(seats=2), name="Another")
        assert too_many(tables.set_up, host=anna, settings=settings) == "too_many_tables_today"
        table_of(anna, now=NOW + DAY)

    def test_a_second_click_counts_as_one(self, anna: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "open_tables", 1)
        game = table_of(anna)
        again = TableSettings(rules=RuleSet.of(seats=2), name=game.name, visibility=Visibility.LINK)
        assert tables.set_up(host=anna, settings=again, now=NOW) == (game, False)

    def test_the_form_says_so(self, anna: Player, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "open_tables", 0)
        client.force_login(anna)
        response = client.post("/new/", SETTINGS)
        assert response.status_code == 429
        assert Refused("too_many_tables").message in Page(response).texts(".errorlist li")

    def test_twelve_seats_are_held_at_tables_of_others(self, anna: Player) -> None:
        bruno = make_player("Bruno")
        for _ in range(12):
            tables.sit(game_id=make_table(host=anna, seats=3).pk, player=bruno, now=NOW)
        another = make_table(host=anna, seats=3)
        assert too_many(tables.sit, game_id=another.pk, player=bruno) == "too_many_seats_held"
        make_table(host=bruno)
        tables.invite(game_id=another.pk, inviter=anna, player=bruno, now=NOW)
        tables.sit(game_id=another.pk, player=bruno, now=NOW)  # somebody wants them there

    def test_the_page_of_the_table_says_so(self, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "seats", 0)
        table = make_table(seats=3)
        client.force_login(make_player("Bruno"))
        response = client.post(f"/g/{table.code}/sit/")
        assert response.status_code == 429
        assert Page(response).text("#too-many") == Refused("too_many_seats_held").message
        assert Page(response).link("Back") == f"/g/{table.code}/"


class TestBotGames:
    def test_twenty_run_at_once(self, anna: Player) -> None:
        for at in range(20):
            table_of(anna, bots=1, now=NOW + at * HOUR)
        settings = TableSettings(rules=RuleSet.of(seats=2), name="Another", bots=1)
        later = NOW + 30 * HOUR
        assert too_many(tables.set_up, host=anna, settings=settings, now=later) == "too_many_bot_games"
        assert too_many(tables.play_the_bot, host=anna, now=later) == "too_many_bot_games"
        table = table_of(anna, now=later)
        assert too_many(tables.add_bot, game_id=table.pk, player=anna, now=later) == "too_many_bot_games"
        play.resign(game_id=anna.hosted.filter(status=Status.PLAYING).first().pk, seat=0, now=later)
        tables.play_the_bot(host=anna, now=later)

    def test_twelve_begin_within_an_hour(self, anna: Player) -> None:
        for _ in range(12):
            table_of(anna, bots=1)
        a_minute_later = NOW + timedelta(minutes=1)  # no second click
        assert too_many(tables.play_the_bot, host=anna, now=a_minute_later) == "bot_games_fast"
        tables.play_the_bot(host=anna, now=NOW + HOUR)

    def test_the_button_says_so(self, anna: Player, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "bot_games", 0)
        client.force_login(anna)
        response = client.post("/new/bot/")
        assert response.status_code == 429
        assert Page(response).text("#too-many") == Refused("too_many_bot_games").message
        assert not Game.objects.exists()


class TestInvitations:
    def invite(self, inviter: Player, *, now: datetime = NOW, **whom: Any) -> Invitation:
        """Invite somebody to a new table."""
        table = make_table(host=inviter, visibility="private", now=now)
        return tables.invite(game_id=table.pk, inviter=inviter, now=now, **whom)

    def refused(self, inviter: Player, *, now: datetime = NOW, **whom: Any) -> str:
        table = make_table(host=inviter, visibility="private", now=now)
        return too_many(tables.invite, game_id=table.pk, inviter=inviter, now=now, **whom)

    def test_thirty_a_day(self, anna: Player) -> None:
        for at in range(30):
            self.invite(anna, player=make_player(f"Guest{at}"))
        last = make_player("Last")
        assert self.refused(anna, player=last) == "too_many_invitations"
        self.invite(anna, player=last, now=NOW + DAY)
        self.invite(beyond(anna), player=last)

    def test_fifteen_to_addresses_a_day(self, anna: Player) -> None:
        for at in range(15):
            self.invite(anna, address=f"{at}@example.com")
        assert self.refused(anna, address="another@example.com") == "too_many_addresses"
        self.invite(anna, player=make_player("Bruno"))

    def test_five_to_one_player_a_day(self, anna: Player) -> None:
        bruno = make_player("Bruno")
        for _ in range(5):
            self.invite(anna, player=bruno)
        assert self.refused(anna, player=bruno) == "invited_often"
        self.invite(anna, player=make_player("Clara"))
        self.invite(bruno, player=anna)

    @pytest.mark.parametrize("address", ["stranger@example.com", "bruno@example.org"])
    def test_one_to_an_address_in_two_weeks_whosever_it_is(self, anna: Player, address: str) -> None:
        make_player("Bruno")
        asked = self.invite(anna, address=address)
        tables.withdraw_invitation(invitation_id=asked.pk, player=anna, now=NOW)
        assert self.refused(anna, address=address, now=NOW + 13 * DAY) == "address_unanswered"
        assert self.refused(beyond(anna), address=address) == "address_unanswered"
        self.invite(anna, address=address, now=NOW + 14 * DAY)

    def test_five_to_one_address_a_day(self, anna: Player) -> None:
        address = {"address": "bruno@example.org"}
        bruno = make_player("Bruno")
        for _ in range(5):
            tables.accept(token=self.invite(anna, **address).token, player=bruno, now=NOW)
        assert self.refused(anna, **address) == "invited_often"
        self.invite(anna, **address, now=NOW + DAY)

    def test_who_has_declined_may_be_asked_again_a_week_later(self, anna: Player) -> None:
        asked = self.invite(anna, address="stranger@example.com")
        tables.decline(token=asked.token, player=None, now=NOW)
        assert self.refused(anna, address="stranger@example.com") == "declined_lately"
        self.invite(anna, address="stranger@example.com", now=NOW + 7 * DAY)

    def test_the_page_says_so(self, anna: Player, client: Client) -> None:
        self.invite(anna, address="stranger@example.com", now=timezone.now())
        table = make_table(host=anna)
        client.force_login(anna)
        response = client.post(f"/g/{table.code}/invite/", {"who": "stranger@example.com"})
        assert response.status_code == 429
        said = Page(response).text("#messages .message")
        assert said == f"stranger@example.com: {Refused('address_unanswered').message}"


class TestMails:
    @pytest.fixture(autouse=True)
    def at_noon(self) -> Iterator[Any]:
        with time_machine.travel(NOW, tick=False) as clock:
            yield clock

    def sent(self) -> int:
        """Deliver notices, and return the number of sent invitations."""
        delivery.deliver_due(seconds=60)
        return Notice.objects.filter(kind=Kind.INVITATION).exclude(sent=None).count()

    def test_a_stranger_gets_one_in_two_weeks_whoever_writes(self, at_noon: Any) -> None:
        for at in range(5):
            table = make_table(host=make_player(f"Host{at}"))
            tables.invite(
                game_id=table.pk, inviter=table.host, address="stranger@example.com", now=timezone.now()
            )
            assert self.sent() == 1
        at_noon.move_to(NOW + 14 * DAY)
        table = make_table(host=make_player("Late"), now=timezone.now())
        tables.invite(
            game_id=table.pk, inviter=table.host, address="stranger@example.com", now=timezone.now()
        )
        assert self.sent() == 2

    def test_but_for_who_has_answered(self) -> None:
        for at in range(2):
            table = make_table(host=make_player(f"Host{at}"))
            asked = tables.invite(
                game_id=table.pk, inviter=table.host, address="stranger@example.com", now=timezone.now()
            )
            assert self.sent() == at + 1
            tables.decline(token=asked.token, player=None, now=timezone.now())

    def test_inviting_and_withdrawing_sends_one_an_hour(self, anna: Player, at_noon: Any) -> None:
        table, bruno = make_table(host=anna), make_player("Bruno")
        for _ in range(5):
            asked = tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=timezone.now())
            assert self.sent() <= 1
            tables.withdraw_invitation(invitation_id=asked.pk, player=anna, now=timezone.now())
        at_noon.move_to(NOW + 12 * HOUR)
        assert self.sent() == 1, "what is withdrawn is never sent"

    def test_a_second_table_is_told_of_an_hour_later(self, anna: Player, at_noon: Any) -> None:
        bruno = make_player("Bruno")
        for _ in range(3):
            table = make_table(host=anna)
            tables.invite(game_id=table.pk, inviter=anna, player=bruno, now=timezone.now())
        for hours, told in ((0, 1), (1, 2), (2, 3)):
            at_noon.move_to(NOW + hours * HOUR)
            assert self.sent() == told

    def test_others_are_told_at_once(self, anna: Player) -> None:
        bruno = make_player("Bruno")
        for inviter in (anna, make_player("Clara")):
            table = make_table(host=inviter)
            tables.invite(game_id=table.pk, inviter=inviter, player=bruno, now=timezone.now())
        assert self.sent() == 2

    def test_rematch_and_cancel_sends_one_an_hour_and_ends_after_three(self, at_noon: Any) -> None:
        game = play.resign(game_id=play_turns(make_game(), 4).pk, seat=0, now=NOW)
        anna = game.host
        for _ in range(3):
            again = tables.rematch(game_id=game.pk, player=anna, now=timezone.now())
            assert self.sent() == 1
            tables.cancel(game_id=again.pk, player=anna, now=timezone.now())
        assert too_many(tables.rematch, game_id=game.pk, player=anna) == "too_many_rematches"
        at_noon.move_to(NOW + 6 * HOUR)
        assert self.sent() == 1
        tables.rematch(game_id=game.pk, player=anna, now=NOW + DAY)


class TestTalk:
    def test_ten_a_minute_in_all_games_together(self) -> None:
        anna, bruno = make_players(2)
        games = [make_game() for _ in range(5)]
        for at in range(10):
            tables.say(game_id=games[at % 5].pk, player=anna, text=f"{at}!", now=NOW)
        assert too_many(tables.say, game_id=games[0].pk, player=anna, text="!") == "talking_fast"
        tables.say(game_id=games[0].pk, player=bruno, text="!", now=NOW)
        tables.say(game_id=games[0].pk, player=anna, text="!", now=NOW + timedelta(minutes=1))

    def test_a_hundred_an_hour(self) -> None:
        anna, game = make_player("Anna"), make_game()
        earlier = NOW - timedelta(minutes=30)
        Message.objects.bulk_create(Message(game=game, author=anna, text="!", at=earlier) for _ in range(100))
        assert too_many(tables.say, game_id=game.pk, player=anna, text="!") == "talking_much"
        tables.say(game_id=game.pk, player=anna, text="!", now=earlier + HOUR)

    @pytest.mark.parametrize("htmx", [False, True])
    def test_the_page_says_so(self, htmx: bool, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
        set_limit(monkeypatch, "messages_fast", 0)
        game = make_game()
        client.force_login(game.host)
        response = client.post(
            f"/g/{game.code}/talk/", {"text": "Hello"}, headers={"HX-Request": "true"} if htmx else {}
        )
        assert response.status_code == 429
        where = "#talk-lines .error" if htmx else "#too-many"
        assert Page(response).text(where) == Refused("talking_fast").message


def test_a_seat_proposes_twelve_things_a_day(client: Client) -> None:
    game = play_turns(make_game(), 4)
    bruno = game.seats.get(index=1).player
    for at in range(12):
        game = play.propose(game_id=game.pk, seat=0, kind=Proposal.END, now=NOW + timedelta(minutes=at))
        offer = game.offers.get(answered=None)
        play.decline(offer_id=offer.pk, seat=0, now=NOW + timedelta(minutes=at))
    asked = {"game_id": game.pk, "kind": Proposal.END}
    assert too_many(play.propose, seat=0, **asked, now=NOW + HOUR) == "too_many_offers"
    play.propose(seat=1, **asked, now=NOW + HOUR)
    assert bruno is not None


def test_proposing_too_much_is_told_with_its_status(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    set_limit(monkeypatch, "proposals_of_seat", 0)
    game = play_turns(make_game(now=timezone.now()), 4, now=timezone.now())
    client.force_login(game.host)
    response = client.post(f"/g/{game.code}/offers/", {"kind": "end"})
    assert response.status_code == 429
    assert Page(response).text("#too-many") == Refused("too_many_offers").message


class TestSearching:
    @pytest.fixture(autouse=True)
    def one_minute(self) -> Iterator[None]:
        """Stop the clock, by which the limits count."""
        with time_machine.travel(timezone.now(), tick=False):
            yield

    def test_sixty_searches_a_minute(self, anna: Player, client: Client) -> None:
        client.force_login(anna)
        for _ in range(60):
            assert client.get("/players/?q=an").status_code == 200
        response = client.get("/players/?q=an")
        assert response.status_code == 429
        assert Page(response).has("#found [role=alert]") and not Page(response).has("#found .people")
        part = client.get("/players/?q=an", headers={"HX-Request": "true"})
        assert (part.status_code, Page(part).roots()) == (429, ["div#found"])
        assert client.get("/players/").status_code == 200, "who searches for nobody"

    def test_of_a_network_more(self, client: Client, settings: Settings) -> None:
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "search_people": "60/m/user,5/m/ip"}
        for at in range(6):
            client.force_login(make_player(f"Guest{at}"))
            assert client.get("/players/?q=an").status_code == (200 if at < 5 else 429)


def test_htmx_shows_what_is_too_much(client: Client) -> None:
    config = str(Page(client.get("/")).one('meta[name="htmx-config"]')["content"])
    assert '"[23]..|429", "swap": true' in config


def test_organisers_and_administrators_may_have_more(anna: Player) -> None:
    def may(role: str) -> bool:
        player = make_player(role.capitalize()[:6] + "x")
        player.groups.add(Group.objects.get(name=role))
        return player.has_perm(limits.BEYOND)

    assert [may(role) for role in (ORGANISER, ADMINISTRATOR, MODERATOR)] == [True, True, False]
    assert not anna.has_perm(limits.BEYOND)


ROWS = [
    line
    for line in (ROOT / "docs" / "limits.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| what ", "| notice ", "| `"))
]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip()[:40])
def test_every_row_of_the_tables_names_a_test_that_is_there(row: str) -> None:
    named = NAMED.findall(row)
    assert named
    for path, name in named:
        assert re.search(rf"^ *(def|class) {name}\b", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
