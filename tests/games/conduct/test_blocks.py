"""Tests of blocks: what they prevent, whom they notify, and what they leave alone."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import Player
from accounts.services import close_account
from games import play, tables
from games.clocks import Ladder, TimeoutStep
from games.conduct import blocks, limits
from games.exceptions import Refused
from games.models import Answer, Block, FollowedPlayer, Game, Invitation, Notice, Seat, SeatState, Status
from games.pages import own_data
from games.selectors import lists
from games.selectors.seats import find_offered_seats
from games.tables import follows
from tests.games.factories import NOW, make_game, make_player, make_players, make_table, play_turns
from tests.html import Page, words
from tests.moderation.limiting import set_limit

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["the one who comes", "the one who is there"])
def apart(request: pytest.FixtureRequest) -> tuple[Player, Player]:
    """Anna and Bruno, one of whom has blocked the other."""
    anna, bruno = make_players(2)
    player, blocked = (bruno, anna) if request.param == "the one who comes" else (anna, bruno)
    blocks.block(blocked=blocked, player=player, now=NOW)
    return anna, bruno


def refused(service: Any, **arguments: Any) -> str:
    """The code with which *service* refuses."""
    with pytest.raises(Refused) as error:
        service(**arguments, now=NOW)
    return error.value.code


class TestChoosing:
    def test_twice_is_once(self) -> None:
        anna, bruno = make_players(2)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        assert list(blocks.list_blocked_players(anna)) == [bruno]
        assert list(blocks.list_blocked_players(bruno)) == []

    def test_ends_following_and_what_was_asked(self) -> None:
        anna, bruno = make_players(2)
        follows.follow_player(followed=bruno, player=anna, now=NOW)
        mine, theirs = make_table(host=anna), make_table(host=bruno)
        tables.invite(game_id=mine.pk, inviter=anna, player=bruno, now=NOW)
        tables.invite(game_id=theirs.pk, inviter=bruno, player=anna, now=NOW)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        assert not FollowedPlayer.objects.exists()
        assert set(Invitation.objects.values_list("answer", flat=True)) == {Answer.WITHDRAWN}

    def test_nobody_blocks_themselves_or_a_closed_account(self) -> None:
        anna, bruno = make_players(2)
        close_account(player=bruno, now=NOW)
        bruno.refresh_from_db()
        assert refused(blocks.block, blocked=anna, player=anna) == "may_not_block"
        assert refused(blocks.block, blocked=bruno, player=anna) == "may_not_block"
        with pytest.raises(IntegrityError), transaction.atomic():
            Block.objects.create(player=anna, blocked=anna, since=NOW)

    def test_not_more_than_so_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert limits.get_maximum("players_blocked") == 200
        set_limit(monkeypatch, "players_blocked", 1)
        anna, bruno, clara = make_players(3)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        assert refused(blocks.block, blocked=clara, player=anna) == "too_many_blocked"
        blocks.block(blocked=bruno, player=anna, now=NOW)

    def test_goes_with_either_account_and_is_in_the_file_of_all_data(self) -> None:
        anna, bruno, clara = make_players(3)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        blocks.block(blocked=anna, player=clara, now=NOW)
        kept = dict(own_data.export_files(anna))["games.json"]["blocked_players"]
        assert [row["blocked__username"] for row in kept] == ["Bruno"]
        close_account(player=anna, now=NOW)
        assert not Block.objects.exists()


class TestTables:
    def test_neither_invites_the_other(self, apart: tuple[Player, Player]) -> None:
        for inviter, player in (apart, apart[::-1]):
            table = make_table(host=inviter)
            code = refused(tables.invite, game_id=table.pk, inviter=inviter, player=player)
            assert code == "may_not_invite"

    def test_an_address_tells_nothing_and_nobody_is_told(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        table = make_table(host=anna)
        kept = tables.invite(game_id=table.pk, inviter=anna, address=bruno.email, now=NOW)
        assert (kept.player, kept.address) == (None, bruno.email)
        assert not Notice.objects.exists()

    def test_neither_sits_down_where_the_other_sits(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        table = make_table(host=anna, seats=3)
        assert refused(tables.sit, game_id=table.pk, player=bruno) == "may_not_sit_here"
        assert Refused("may_not_sit_here").message == "You can't sit down at this table."

    def test_nor_by_an_invitation_of_somebody_else(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        table = make_table(host=make_player("Clara"), seats=3)
        asked = tables.invite(game_id=table.pk, inviter=table.host, player=bruno, now=NOW)
        tables.sit(game_id=table.pk, player=anna, now=NOW)
        assert refused(tables.accept, token=asked.token, player=bruno) == "may_not_sit_here"

    def test_others_sit_down_with_both(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        clara = make_player("Clara")
        for host in (anna, bruno):
            table = make_table(host=host)
            assert tables.sit(game_id=table.pk, player=clara, now=NOW).status == Status.PLAYING

    def test_no_more_after_it_was_taken_back(self) -> None:
        anna, bruno = make_players(2)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        blocks.unblock(blocked=bruno, player=anna)
        assert tables.sit(game_id=make_table(host=anna).pk, player=bruno, now=NOW).status == Status.PLAYING

    def test_no_rematch(self) -> None:
        game = play_turns(make_game(seats=3), 6)
        for seat in (0, 1):
            game = play.resign(game_id=game.pk, seat=seat, now=NOW)
        anna, bruno, clara = make_players(3)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        for player in (anna, bruno, clara):
            assert refused(tables.rematch, game_id=game.pk, player=player) == "no_rematch"
        assert Game.objects.count() == 1

    def test_no_seat_is_taken_over(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        game = offered_to_others(anna)
        assert refused(play.take_over, game_id=game.pk, seat=1, player=bruno) == "may_not_sit_here"

    def test_games_that_have_begun_go_on(self) -> None:
        game = make_game()
        anna, bruno = make_players(2)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        assert play_turns(game, 4).ply >= 4


def offered_to_others(anna: Player) -> Game:
    """A public game between Anna and Clara, whose seat seeks a substitute."""
    table = make_table(
        host=anna, ladder=Ladder(excuses=0, holiday=False, last=TimeoutStep.SUBSTITUTE), seats=3
    )
    for name in ("Clara", "David"):
        tables.sit(game_id=table.pk, player=make_player(name), now=NOW)
    Seat.objects.filter(game=table, index=1).update(state=SeatState.OFFERED)
    table.refresh_from_db()
    assert table.awaited == 0
    return table


class TestLists:
    def test_the_lobby_leaves_their_tables_out(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        clara = make_player("Clara")
        make_table(host=anna, name="Albi"), make_table(host=clara, name="Foix")
        both = make_table(host=clara, name="Sète", seats=4)
        tables.sit(game_id=both.pk, player=anna, now=NOW)
        assert {table.name for table in lists.find_open_tables(bruno)} == {"Foix"}
        assert {table.name for table in lists.find_open_tables(clara)} == {"Albi", "Foix", "Sète"}

    def test_but_not_ones_own(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        table = make_table(host=anna, seats=3)
        Seat.objects.filter(game=table, index=1).update(player=bruno)
        assert list(lists.find_open_tables(bruno)) == [table]

    def test_seats_that_seek_a_substitute_are_left_out(self, apart: tuple[Player, Player]) -> None:
        anna, bruno = apart
        game = offered_to_others(anna)
        assert list(find_offered_seats(bruno)) == []
        assert [seat.game for seat in find_offered_seats(make_player("Emma"))] == [game]

    def test_it_costs_no_further_query(self, client: Client, django_assert_max_num_queries: Any) -> None:
        anna, bruno = make_players(2)
        for at in range(5):
            blocks.block(blocked=make_player(f"Other{at}"), player=bruno, now=NOW)
        make_table(host=anna)
        client.force_login(bruno)
        with django_assert_max_num_queries(7):
            client.get("/lobby/")


class TestTalk:
    def lines(self, game: Game, reader: Player | None) -> list[tuple[str, bool]]:
        """Return the messages, and whether each is folded away for *reader*."""
        client = Client()
        if reader is not None:
            client.force_login(reader)
        page = Page(client.get(f"/g/{game.code}/talk/"))
        return [(words(said), said.find_parent("details") is not None) for said in page.all("#talk .said")]

    def test_is_folded_away_for_who_has_blocked_alone(self) -> None:
        game = make_game()
        anna, bruno = make_players(2)
        tables.say(game_id=game.pk, player=bruno, text="Hello", now=NOW)
        tables.say(game_id=game.pk, player=anna, text="Good luck", now=NOW)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        assert self.lines(game, anna) == [("Hello", True), ("Good luck", False)]
        assert self.lines(game, bruno) == [("Hello", False), ("Good luck", False)]
        assert self.lines(game, None) == [("Hello", False), ("Good luck", False)]

    def test_says_why(self, client: Client) -> None:
        game = make_game()
        anna, bruno = make_players(2)
        tables.say(game_id=game.pk, player=bruno, text="Hello", now=NOW)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        client.force_login(anna)
        page = Page(client.get(f"/g/{game.code}/"))
        assert page.texts("#talk details summary") == ["Message from someone you've blocked"]
        assert not page.has("#talk .portrait")


class TestPages:
    def test_a_button_on_the_page_of_a_player(self, client: Client) -> None:
        anna, bruno = make_players(2)
        client.force_login(anna)
        assert Page(client.get("/players/Bruno/")).texts("form.block button") == ["Block"]
        client.post("/players/Bruno/block/", {"block": "yes"})
        page = Page(client.get("/players/Bruno/"))
        assert page.texts("form.block button") == ["Unblock"]
        assert not page.has("form.follow") and not page.has('a[href*="invite="]')
        assert list(blocks.list_blocked_players(anna)) == [bruno]
        client.post("/players/Bruno/block/", {"block": "no"})
        assert list(blocks.list_blocked_players(anna)) == []

    def test_who_is_blocked_sees_the_same_page_as_before(self, client: Client) -> None:
        anna, bruno = make_players(2)
        client.force_login(bruno)
        before = client.get("/players/Anna/")
        blocks.block(blocked=bruno, player=anna, now=NOW)
        after = client.get("/players/Anna/")
        assert Page(after).texts("#content *") == Page(before).texts("#content *")

    def test_the_list_is_ones_own(self, client: Client) -> None:
        anna, bruno = make_players(2)
        blocks.block(blocked=bruno, player=anna, now=NOW)
        client.force_login(anna)
        assert Page(client.get("/blocked/")).texts(".people a") == ["Bruno"]
        client.force_login(bruno)
        page = Page(client.get("/blocked/"))
        assert not page.has(".people") and page.has("#content p.muted")

    def test_is_for_players(self, client: Client) -> None:
        make_players(1)
        assert client.get("/blocked/").url == "/account/login/?next=/blocked/"
        assert client.post("/players/Anna/block/").url == "/account/login/?next=/players/Anna/block/"
