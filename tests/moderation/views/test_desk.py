"""Tests of the moderators' desk, and of what players read about its acts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Player
from games import tables
from games.drawing.sprite import build_symbol_name
from games.models import Game, Message, ModerationAct, Notice, Seat, SeatState, Status
from games.play import moderation
from moderation.selectors import desk, queues
from tests.games.factories import copy_game, make_game, make_player, make_table, play_turns
from tests.games.play.moderating import asked, make_moderator
from tests.html import Page

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
TURNS = (0, 90, 180, 270)


@pytest.fixture
def mira(client: Client) -> Player:
    player = make_moderator()
    client.force_login(player)
    return player


@pytest.fixture
def game(mira: Player) -> Game:
    return play_turns(make_game(seats=3, now=timezone.now()), 6, now=timezone.now())


def case(game: Game, act: str = "", query: str = "") -> str:
    name, more = ("moderate", [act]) if act else ("desk_game", [])
    return reverse(f"moderation:{name}", args=[game.code, *more]) + query


def do(client: Client, address: str, **sent: Any) -> tuple[Page, Any]:
    """Preview an act, confirm it, and return preview and response."""
    fields = {"reason": "A double account.", **sent}
    shown = Page(client.post(address, fields))
    given = {one["name"]: one.get("value", "") for one in shown.all("form.act input[type=hidden]")}
    return shown, client.post(address, given | {"confirmed": "yes"})


class TestQueues:
    def test_everything_that_is_stuck_waits_there(self, client: Client, mira: Player) -> None:
        now = timezone.now()
        overdue, bot, standing, scoring, fine = (make_game(seats=3, now=now - 5 * HOUR) for _ in range(5))
        Game.objects.filter(pk=overdue.pk).update(deadline=now - 2 * HOUR)
        Game.objects.filter(pk=bot.pk).update(deadline=None)
        Seat.objects.filter(game=bot, index=0).update(state=SeatState.OFFERED)
        moderation.pause(asked(standing, mira, now))
        Game.objects.filter(pk=scoring.pk).update(
            status=Status.SCORING, awaited=None, deadline=None, calendar=None
        )
        Notice.objects.filter(game=fine).update(attempts=9)
        page = Page(client.get(reverse("moderation:desk")))
        links = {
            element["aria-labelledby"]: Page(str(element)).links() for element in page.all("main section")
        }
        waiting = {"overdue": overdue, "bots": bot, "standing": standing, "scoring": scoring}
        assert {name: links[name] for name in waiting} == {name: [case(one)] for name, one in waiting.items()}
        assert set(links["unsent"]) == {case(fine)}

    def test_mails_that_fail_are_found_among_all_that_are_owed_by_their_index(self) -> None:
        (unsent,) = (queue for queue in desk.STUCK if queue.slug == "unsent")
        asked: list[tuple[str, Any]] = []

        def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            asked.append((sql, params))
            return execute(sql, params, many, context)

        with connection.execute_wrapper(note):
            unsent.find(timezone.now())
        ((sql, params),) = asked
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL enable_seqscan = off")  # there are too few rows for an index
            explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
            cursor.execute(f"{explain} {sql}", params)
            assert "notices_failing" in str(cursor.fetchall())

    def test_every_queue_is_shown(
        self, client: Client, mira: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one = desk.QueueEntry("Insults", timezone.now(), url="/report/1/")
        queue = desk.Queue("reports", "Reports", "What players say.", lambda now: [one])
        monkeypatch.setattr(queues, "QUEUES", (queue,))
        assert Page(client.get(reverse("moderation:desk"))).link("Insults") == "/report/1/"

    def test_a_full_desk_costs_no_more_queries(
        self,
        client: Client,
        game: Game,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        for other in copy_game(game, 30):
            Game.objects.filter(pk=other.pk).update(deadline=timezone.now() - 2 * HOUR)
        with django_assert_max_num_queries(12):
            page = Page(client.get(reverse("moderation:desk")))
        assert len(page.all("section[aria-labelledby=overdue] li")) == desk.SHOWN


class TestCase:
    def test_shows_board_record_talk_notices_and_log_in_few_queries(
        self,
        client: Client,
        game: Game,
        mira: Player,
        django_assert_max_num_queries: DjangoAssertNumQueries,
    ) -> None:
        now = timezone.now()
        for n in range(9):
            Message.objects.create(game=game, author=game.host, text=f"Line {n}", at=now)
        Game.objects.filter(pk=game.pk).update(rated=True)
        moderation.unrate(asked(game, mira, now))
        moderation.extend(asked(game, mira, now), 2)
        moderation.replace(asked(game, mira, now), 1, None)
        with django_assert_max_num_queries(15):
            page = Page(client.get(case(game)))
        assert page.has("svg.board") and len(page.all(".desk-log > li")) == 3
        assert len(page.all("section[aria-labelledby=talk] li")) == 9
        assert len(page.all("section[aria-labelledby=notices] tbody tr")) > 2
        ways = page.texts(".ways-out a")
        assert ways.count("Give back") == ways.count("Make it rated again") == 1
        rolls = [link for link in page.links() if "ply=" in link]
        assert rolls == [case(game, "roll-back", f"?ply={ply}") for ply in (5, 4, 3, 2, 1)]

    @pytest.mark.parametrize("path", ["", "pause", "roll-back"])
    def test_is_for_moderators_who_do_not_play_there(self, client: Client, game: Game, path: str) -> None:
        assert client.get(case(game, path)).status_code == 200
        assert client.get(case(game, "nonsense")).status_code == 404
        client.force_login(make_player("Emma", is_staff=True))
        assert client.get(case(game, path)).status_code == 403
        assert client.get(reverse("moderation:desk")).status_code == 403
        anna = game.host
        anna.is_staff = anna.is_superuser = True
        anna.save()
        client.force_login(anna)
        assert client.get(case(game, path)).status_code == 403
        assert client.get(reverse("moderation:desk")).status_code == 200
        client.logout()
        assert client.get(case(game, path)).status_code == 302

    @pytest.mark.parametrize("cancelled", [False, True])
    def test_nothing_can_be_done_to_a_table_that_never_began(
        self, client: Client, mira: Player, cancelled: bool
    ) -> None:
        table = make_table(rated=True)
        if cancelled:
            tables.cancel(game_id=table.pk, player=table.host, now=timezone.now())
        page = Page(client.get(case(table)))
        assert page.has("#seats") and not page.has("svg.board, #acts + p a")

    def test_the_board_leads_there(self, client: Client, game: Game) -> None:
        board = reverse("games:table", args=[game.code])
        assert Page(client.get(board)).link("Moderate") == case(game)
        client.force_login(game.host)
        assert "Moderate" not in Page(client.get(board)).texts("a")


class TestActs:
    def test_a_roll_back_is_shown_before_it_is_done_and_done_once(self, client: Client, game: Game) -> None:
        address = case(game, "roll-back", "?ply=2")
        form = Page(client.get(address))
        assert form.values("[name=ply]") == ["2"]
        version = form.values("[name=version]")[0]
        shown, answer = do(client, address, ply="2", version=version)
        effects = shown.texts(".effects li")
        assert "Turns played: 6, then 2." in effects
        assert "4 tiles go back to the front of the bag and come again in the same order." in effects
        assert "Anna, Bruno, Clara" in shown.text("form.act > p:nth-of-type(1)")
        assert answer.url == case(game)
        _shown, again = do(client, address, ply="2", version=version)
        assert again.url == case(game)
        assert (ModerationAct.objects.count(), Game.objects.get(pk=game.pk).ply) == (1, 2)

    def test_what_is_refused_is_said_in_words(self, client: Client, game: Game) -> None:
        shown, _answer = do(client, case(game, "resume"), version=game.version)
        assert shown.text("form.act .errorlist") == "The game is not stopped."
        shown, _answer = do(client, case(game, "resume"), version=game.version, reason=" ")
        assert not ModerationAct.objects.exists()
        for until in ("9999-12-31T23:59", "0001-01-01T00:00", "nonsense"):
            shown, _answer = do(client, case(game, "pause"), version=game.version, until=until)
            assert shown.has("form.act .errorlist")
        shown, _answer = do(client, case(game, "pause"), version=1)
        assert "moved on" in shown.text("form.act .errorlist")
        assert shown.values("[name=version]") == [str(game.version)]

    @pytest.mark.parametrize(
        ("act", "sent"),
        [
            ("pause", {"until": f"{timezone.now() + timedelta(days=3):%Y-%m-%dT%H:%M}"}),
            ("extend", {"days": "3", "to": "1"}),
            ("adjudicate", {f"{what}_{seat}": "1" for what in ("rank", "score") for seat in range(3)}),
            ("abort", {}),
            ("replace", {"seat": "1", "player": "emma"}),
            ("replace", {"seat": "1", "player": ""}),
            ("ladder", {"seat": "2"}),
        ],
    )
    def test_each_is_done_by_its_form(
        self, client: Client, game: Game, act: str, sent: dict[str, str]
    ) -> None:
        make_player("Emma")
        shown, answer = do(client, case(game, act), version=game.version, **sent)
        assert shown.has(".effects") and answer.status_code == 302
        assert ModerationAct.objects.get().kind == act
        log = Page(client.get(reverse("moderation:moderation", args=[game.code])))
        assert log.text(".desk-log q") == "A double account."

    def test_all_games_of_a_person_are_shown_and_then_done_but_for_the_moderators_own(
        self, client: Client, game: Game, mira: Player
    ) -> None:
        own = make_game(seats=3, now=timezone.now())
        moderation.replace(asked(own, make_moderator("Nora"), timezone.now()), 2, mira)
        address = reverse("moderation:desk_person", args=["Anna"])
        assert case(game) in Page(client.get(address)).links()
        shown, answer = do(client, address, what="pause")
        assert shown.texts(".note.warning") == ["You can't moderate this game."]
        assert answer.url == address
        held = ModerationAct.objects.filter(kind="pause")
        assert [act.game for act in held] == [game]
        assert client.get(reverse("moderation:desk_person", args=["Mira"])).status_code == 403


class TestWhatPlayersRead:
    @pytest.fixture
    def rolled(self, client: Client, game: Game) -> Iterator[Game]:
        moderation.roll_back(asked(game, now=timezone.now()), 2)
        client.force_login(game.host)
        yield Game.objects.get(pk=game.pk)

    def test_the_story_and_the_log_say_what_and_why_and_not_who(self, client: Client, rolled: Game) -> None:
        board = Page(client.get(reverse("games:table", args=[rolled.code])))
        assert any("rolled the game back to turn 2" in text for text in board.texts(".story li"))
        log = Page(client.get(board.link("Moderator actions")))
        assert "rolled the game back to turn 2" in log.text(".desk-log > li > p:nth-of-type(2)")
        assert not log.mentions("Mira")

    def test_the_branch_can_be_looked_at_by_players_step_by_step(self, client: Client, rolled: Game) -> None:
        log = Page(client.get(reverse("moderation:moderation", args=[rolled.code])))
        address = log.link("Look at what was withdrawn")
        last = Page(client.get(address))
        assert last.text("h1") == "Withdrawn turn 6" and last.has("svg.board")
        before = Page(client.get(last.link("Previous turn")))
        assert before.text("h1") == "Withdrawn turn 5"
        first = Page(client.get(f"{address}1/"))
        assert first.text("h1") == "Withdrawn turn 3" and not first.has("a[rel=prev]")
        for nowhere in (
            f"{address}9/",
            f"{address}{10**30}/",
            address.replace(str(rolled.version), str(10**30)),
        ):
            assert client.get(nowhere).status_code == 404
        client.force_login(make_player("Emma"))
        assert client.get(address).status_code == 404

    def test_hands_that_were_hidden_stay_hidden_in_it(self, client: Client, mira: Player) -> None:
        hidden = {"first_player": "creator", "hand": "three_hidden"}
        game = play_turns(make_game(seats=2, options=hidden, now=timezone.now()), 5, now=timezone.now())
        act = moderation.roll_back(asked(game, mira, timezone.now()), 1)
        secret = {
            event["tile"]
            for move in game.moves.filter(action__type="draw")
            for event in move.events
            if "tile" in event
        } - {event["tile"] for move in game.moves.all() for event in move.events if event["type"] == "placed"}
        assert secret
        branch = reverse("moderation:branch", args=[game.code, act.version])
        pages = [Page(client.get(branch)), Page(client.get(case(game)))]
        client.force_login(game.host)
        for page in (*pages, Page(client.get(branch))):
            assert not any(
                page.mentions(f"#{build_symbol_name(tile, turn)}") for tile in secret for turn in TURNS
            )
            assert page.mentions(f"#{build_symbol_name('base.D', 0)}")  # the start tile

    def test_a_board_that_is_stopped_says_so(self, client: Client, game: Game) -> None:
        moderation.pause(asked(game, now=timezone.now()))
        awaited = game.seats.get(index=game.awaited).player
        assert awaited is not None
        client.force_login(awaited)
        board = Page(client.get(reverse("games:table", args=[game.code])))
        assert "A moderator has stopped the game." in board.text("p.at-hand:not(.offline)")


class TestStoppingFirst:
    def test_a_busy_table_can_be_stopped_and_then_decided(
        self, client: Client, game: Game, mira: Player
    ) -> None:
        now = timezone.now()
        fields = {"reason": "A double account.", "ply": "3", "version": str(game.version)}
        play_turns(game, 1, now=now)
        page = Page(client.post(case(game, "roll-back"), fields | {"confirmed": "yes"}))
        assert "moved on" in page.text(".errorlist")
        assert page.one("button[name=stop]").text.strip() == "Stop the game first"
        stopped = Page(client.post(case(game, "roll-back"), fields | {"stop": "yes"}))
        (act,) = ModerationAct.objects.all()
        assert (act.kind, act.reason, act.after["held"]) == ("pause", "A double account.", True)
        assert stopped.has(".effects li")
        given = {str(one["name"]): one.get("value", "") for one in stopped.all("form.act input[type=hidden]")}
        assert client.post(case(game, "roll-back"), given | {"confirmed": "yes"}).status_code == 302
        game.refresh_from_db()
        assert game.ply == 3
        assert ModerationAct.objects.count() == 2

    def test_a_second_click_stops_it_once(self, client: Client, game: Game) -> None:
        fields = {"reason": "A double account.", "ply": "3", "version": str(game.version), "stop": "yes"}
        for _click in range(2):
            client.post(case(game, "roll-back"), fields)
        assert ModerationAct.objects.count() == 1

    def test_is_not_offered_where_it_is_stopped_or_over_or_nothing_overtook(
        self, client: Client, game: Game, mira: Player
    ) -> None:
        fields = {"reason": "A double account.", "version": str(game.version)}
        assert not Page(client.get(case(game, "unrate"))).has("button[name=stop]")
        moderation.pause(asked(game, mira, timezone.now()))
        page = Page(client.post(case(game, "abort"), fields | {"confirmed": "yes"}))
        assert "moved on" in page.text(".errorlist") and not page.has("button[name=stop]")
        moderation.abort(asked(game, mira, timezone.now()))
        page = Page(client.post(case(game, "reopen"), fields | {"confirmed": "yes"}))
        assert "moved on" in page.text(".errorlist") and not page.has("button[name=stop]")

    def test_is_not_for_who_plays_there(self, client: Client, game: Game) -> None:
        seat = game.seats.get(index=1)
        client.force_login(seat.player)  # type: ignore[arg-type]
        fields = {"reason": "I lose.", "ply": "3", "version": str(game.version), "stop": "yes"}
        assert client.post(case(game, "roll-back"), fields).status_code == 403
        assert not ModerationAct.objects.exists()


class TestTwoBoards:
    def test_a_roll_back_shows_both_boards_before(self, client: Client, game: Game) -> None:
        shown, _done = do(client, case(game, "roll-back"), ply="2", version=str(game.version))
        boards = shown.all(".desk-boards svg.board")
        tiles = [len(Page(str(board)).all("use.tile, .tile, use")) for board in boards]
        assert len(boards) == 2 and tiles[0] > tiles[1]
        titles = shown.texts(".desk-boards figcaption strong")
        assert titles == ["Now, after turn 6", "After it, at turn 2"]

    def test_the_board_that_would_be_is_the_one_that_comes(self, client: Client, game: Game) -> None:
        shown, _done = do(client, case(game, "roll-back"), ply="2", version=str(game.version))
        foreseen = shown.all(".desk-boards .desk-board")[1]
        came = Page(client.get(case(game))).one(".desk-board")
        assert laid(foreseen) == laid(came)

    def test_other_acts_show_none(self, client: Client, game: Game) -> None:
        shown, _done = do(client, case(game, "pause"), version=str(game.version))
        assert not shown.has(".desk-boards")


def laid(board: Any) -> list[str]:
    """The tiles on a drawn *board*, with their positions."""
    return sorted(str(element) for element in board.select("use"))


class TestFolding:
    def test_the_main_act_comes_first_and_all_else_is_folded(self, client: Client, game: Game) -> None:
        page = Page(client.get(case(game)))
        assert page.all("main a.button")[0]["href"] == case(game, "pause")
        open_now = [element for element in page.all("details.desk-fold") if element.has_attr("open")]
        assert len(page.all("details.desk-fold")) == 8
        assert [one.find("h2").get_text() for one in open_now] == ["How it stands"]  # type: ignore[union-attr]
