"""Tests of the host's acts on a table that has not begun: removing a player, and renaming."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Player
from accounts.services import close_account
from accounts.texts import holds_link
from games import tables
from games.exceptions import Refused
from games.models import Game, Kind, Notice, Removal, Status
from games.notices import email, relevance
from games.pages import own_data
from games.tables.setup import TOWNS
from tests.games.factories import NOW, make_game, make_player, make_players, make_table, play_turns
from tests.html import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Game:
    """A table of Anna's that Bruno has joined."""
    table = make_table(seats=3, name="Foix")
    return tables.sit(game_id=table.pk, player=make_player("Bruno"), now=NOW, colour="red")


@pytest.fixture
def bruno(table: Game) -> Player:
    return Player.objects.get(username="Bruno")


def refused(service: Any, **arguments: Any) -> str:
    arguments.setdefault("now", NOW)
    with pytest.raises(Refused) as error:
        service(**arguments)
    return error.value.code


class TestRemoving:
    def test_frees_the_seat_and_tells_the_guest(self, table: Game, bruno: Player) -> None:
        tables.remove_guest(game_id=table.pk, player=table.host, seat=1, now=NOW)
        seat = table.seats.get(index=1)
        assert (seat.player, seat.colour) == (None, "")
        notice = Notice.objects.get()
        assert (notice.kind, notice.recipient) == (Kind.REMOVED, bruno)
        assert relevance.why_not(notice, NOW) == ""
        mail = email.compose(notice)
        assert mail.subject == "You've been removed from Foix"
        assert "Anna has removed you from the table Foix." in " ".join(str(mail.body).split())

    def test_keeps_the_guest_away_for_a_day(self, table: Game, bruno: Player) -> None:
        tables.remove_guest(game_id=table.pk, player=table.host, seat=1, now=NOW)
        sitting = {"game_id": table.pk, "player": bruno}
        assert refused(tables.sit, **sitting, now=NOW + timedelta(hours=23)) == "removed_lately"
        tables.sit(game_id=make_table().pk, player=bruno, now=NOW)
        tables.sit(**sitting, now=NOW + timedelta(days=1))

    def test_who_is_invited_again_may_come(self, table: Game, bruno: Player) -> None:
        tables.remove_guest(game_id=table.pk, player=table.host, seat=1, now=NOW)
        tables.invite(game_id=table.pk, inviter=table.host, player=bruno, now=NOW)
        tables.sit(game_id=table.pk, player=bruno, now=NOW)
        stale = Notice.objects.get(kind=Kind.REMOVED)
        assert relevance.why_not(stale, NOW) == "stale"
        tables.remove_guest(game_id=table.pk, player=table.host, seat=1, now=NOW + timedelta(hours=1))
        assert Removal.objects.get().at == NOW + timedelta(hours=1)

    def test_is_in_the_file_of_all_data_and_goes_with_the_account(self, table: Game, bruno: Player) -> None:
        tables.remove_guest(game_id=table.pk, player=table.host, seat=1, now=NOW)
        (kept,) = dict(own_data.export_files(bruno))["games.json"]["seats_taken_back"]
        assert kept["game__code"] == table.code
        close_account(player=bruno, now=NOW)
        assert not Removal.objects.exists()

    def test_is_for_the_host_and_before_the_game(self, table: Game, bruno: Player) -> None:
        act = {"game_id": table.pk, "seat": 1}
        assert refused(tables.remove_guest, player=bruno, **act) == "not_host"
        for seat in (0, 2, 9):
            code = refused(tables.remove_guest, game_id=table.pk, player=table.host, seat=seat)
            assert code == "not_a_guest"
        tables.sit(game_id=table.pk, player=make_player("Clara"), now=NOW)
        assert refused(tables.remove_guest, player=table.host, **act) == "not_open"

    def test_a_bot_is_no_guest(self) -> None:
        table = make_table(seats=3)
        tables.add_bot(game_id=table.pk, player=table.host, now=NOW)
        assert refused(tables.remove_guest, game_id=table.pk, player=table.host, seat=1) == "not_a_guest"

    def test_is_a_button_of_the_host_alone(self, table: Game, bruno: Player, client: Client) -> None:
        address = f"/g/{table.code}/remove/1/"
        client.force_login(bruno)
        assert not Page(client.get(f"/g/{table.code}/")).has(f'form[action="{address}"]')
        client.force_login(table.host)
        page = Page(client.get(f"/g/{table.code}/"))
        assert page.text(f'form[action="{address}"] button') == "Remove"
        assert not page.has(f'form[action="/g/{table.code}/remove/0/"]')
        assert client.post(address).url == f"/g/{table.code}/"
        assert table.seats.get(index=1).free


class TestNames:
    def test_the_host_renames_an_open_table(self, table: Game, bruno: Player, client: Client) -> None:
        client.force_login(table.host)
        page = Page(client.get(f"/g/{table.code}/"))
        assert page.values(f'form[action="/g/{table.code}/rename/"] [name=name]') == ["Foix"]
        client.post(f"/g/{table.code}/rename/", {"name": "  Albi  by night "})
        table.refresh_from_db()
        assert table.name == "Albi by night"
        client.force_login(bruno)
        assert not Page(client.get(f"/g/{table.code}/")).has('form[action$="/rename/"]')

    def test_nobody_else_does_and_not_after_it_has_begun(self, table: Game, bruno: Player) -> None:
        named = {"game_id": table.pk, "name": "Albi"}
        assert refused(tables.rename, player=bruno, **named) == "not_host"
        tables.sit(game_id=table.pk, player=make_player("Clara"), now=NOW)
        assert refused(tables.rename, player=table.host, **named) == "not_open"

    def test_an_empty_name_changes_nothing(self, table: Game) -> None:
        assert tables.rename(game_id=table.pk, player=table.host, name=" \u200b ", now=NOW).name == "Foix"

    def test_who_waits_sees_the_new_name(self, table: Game, client: Client) -> None:
        client.force_login(table.host)
        news = str(Page(client.get(f"/g/{table.code}/")).one("#waiting")["hx-get"])
        assert client.get(news, headers={"HX-Request": "true"}).status_code == 204
        tables.rename(game_id=table.pk, player=table.host, name="Albi", now=NOW)
        part = client.get(news, headers={"HX-Request": "true"})
        assert Page(part).text("h1") == "Albi needs one more player"

    @pytest.mark.parametrize(
        "link",
        [
            "https://evil.example",
            "WWW.evil",
            "evil.example",
            "play at t2.me/x",
            "evil\u3002com",
            "дом.рф",
            "a@b.cd",
        ],
    )
    def test_links_are_refused(self, table: Game, link: str) -> None:
        assert holds_link(link)
        named = {"game_id": table.pk, "player": table.host}
        assert refused(tables.rename, **named, name=link) == "name_link"
        with pytest.raises(Refused, match="can't contain links"):
            make_table(name=f"Go to {link}")
        with pytest.raises(Refused, match="can't contain links"):
            tables.invite(
                game_id=table.pk, inviter=table.host, player=make_player("Clara"), greeting=link, now=NOW
            )

    @pytest.mark.parametrize(
        "name", ["St. Malo", "No. 1", "Dr. No, e.g. tonight", "3.5 days", "Wait...", "A.B.", "J.R. and I"]
    )
    def test_dots_that_make_no_link_are_not(self, table: Game, name: str) -> None:
        assert tables.rename(game_id=table.pk, player=table.host, name=name, now=NOW).name == name

    def test_a_name_of_before_is_not_handed_on_to_a_rematch(self) -> None:
        from games import play

        game = play.resign(game_id=play_turns(make_game(), 4).pk, seat=0, now=NOW)
        Game.objects.filter(pk=game.pk).update(name="evil.example")
        again = tables.rematch(game_id=game.pk, player=make_players(1)[0], now=NOW)
        assert again.name in TOWNS and again.status == Status.OPEN
