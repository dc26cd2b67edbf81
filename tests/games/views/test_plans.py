"""Tests of the planner: a turn composed in advance, which nobody else can notice."""

from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import play
from games.models import Game, How, Notice, Plan
from games.notices.letter_writers import write_notice_letter
from games.play import positions
from games.rules import RuleSet
from tests.games.factories import (
    NOW,
    bag_of,
    heart_beats,
    make_game,
    make_player,
    make_players,
    new_process,
    play_lines,
)
from tests.games.hidden_hand_helpers import collect_answers, normalize_answer
from tests.games.visitors import HTMX, signed_in, url
from tests.html import Page

pytestmark = pytest.mark.django_db
CREATOR = {"first_player": "creator"}
WEST = "base.U@-1,0 r0"


def with_bag(*first: str, **settings: Any) -> Game:
    """Make a game of two, or of as many *seats*, in which Anna holds the first of these tiles."""
    heart_beats(timezone.now())
    options = {**CREATOR, **settings.pop("options", {})}
    rules = RuleSet.of(seats=settings.get("seats", 2), options=options)
    bag = bag_of(rules, *first)
    return make_game(bag=bag, options=options, name="Lagny", now=timezone.now(), **settings)


@pytest.fixture
def game() -> Game:
    return with_bag("base.U", "base.U", "base.V")


@pytest.fixture
def bruno(game: Game) -> Client:
    return signed_in("Bruno")


def add(client: Client, game: Game, line: str, after: str = "", **more: Any) -> Any:
    address = url(game, "plan_after", after) if after else url(game, "plan")
    return client.post(address, {"line": line, "version": game.version, **more}, follow=True)


def planned(page: Page) -> list[str]:
    return page.texts(".plan-list li p:first-child")


class TestThePlanner:
    def test_who_waits_finds_it_on_the_board(self, game: Game, bruno: Client) -> None:
        assert Page(bruno.get(url(game))).link("Plan your next turn") == url(game, "plan")
        for other in (signed_in("Anna"), Client()):
            assert not Page(other.get(url(game))).has(f"a[href='{url(game, 'plan')}']")

    def test_who_is_on_turn_or_does_not_play_is_shown_the_board(self, game: Game) -> None:
        make_player("Clara")
        for name in ("Anna", "Clara"):
            assert signed_in(name).get(url(game, "plan")).url == url(game)
        assert "/account/login/" in Client().get(url(game, "plan")).url

    def test_a_turn_is_put_together_as_on_the_board(self, game: Game, bruno: Client) -> None:
        page = Page(bruno.get(url(game, "plan")))
        assert len(page.all(".coming .choice")) == len(positions.load_position(game).state.remaining)
        page = Page(bruno.get(url(game, "plan") + "?tile=base.U"))
        marks = page.links("#turn-map .mark")
        assert url(game, "plan") + "?tile=base.U&at=-1,0" in marks
        page = Page(bruno.get(marks[0], headers=HTMX))
        assert page.roots()[0] == "section#turn" and not page.has("html")
        ring = page.links("#turn-map .spot")[0]
        assert ring.startswith(url(game, "plan"))
        page = Page(bruno.get(ring))
        assert page.text("#send") == "Add to the plan"
        (form,) = page.all("form.add-plan")
        assert form["action"] == url(game, "plan")
        data = {element["name"]: element["value"] for element in form.select("input[type=hidden]")}
        page = Page(bruno.post(url(game, "plan"), data, follow=True))
        assert page.texts(".table-head .note") == ["Your plan is saved. Only you can see it."]
        assert len(planned(page)) == 1

    def test_plans_are_listed_in_their_order_which_can_be_changed(self, game: Game, bruno: Client) -> None:
        add(bruno, game, WEST)
        page = Page(add(bruno, game, "base.E@0,-1 r180 city S", any_tile="1"))
        west, city = "Column −1, row 0: No meeple", "Column 0, row −1: Knight: city (south)"
        assert planned(page) == [west, city]
        assert page.texts(".plan-list .muted") == ["With any tile that fits that way."]
        last = Plan.objects.get(number=1).pk
        change = url(game, "change_plan")
        page = Page(bruno.post(change, {"plan": last, "do": "up"}, follow=True))
        assert planned(page) == [city, west]
        page = Page(bruno.post(change, {"plan": last, "do": "remove"}, follow=True))
        assert planned(page) == [west]
        assert Page(bruno.get(url(game))).mentions("1 plan for your next turn")

    def test_after_somebody_has_played_on_a_certain_space(self, game: Game, bruno: Client) -> None:
        page = Page(bruno.get(url(game, "plan") + "?choose=space"))
        after = url(game, "plan_after", "1,0")
        assert after in page.links("#turn-map .mark")
        page = Page(bruno.get(after + "?tile=base.U"))
        assert f"{after}?tile=base.U&at=2,0" in page.links("#turn-map .mark")
        page = Page(bruno.get(after + "?tile=base.U&at=2,0&r=0&on=none"))
        assert "when your turn comes" in page.text(".sentence")
        page = Page(add(bruno, game, "base.U@2,0 r0", after="1,0"))
        assert page.texts(".plan-list .muted") == [
            "Only if someone has played here by then: column 1, row 0.",
            "You'll only know its neighbours when your turn comes.",
        ]
        game = play_lines(game, "1,0 r0", now=timezone.now())
        assert game.moves.filter(how=How.PLAN).count() == 1

    @pytest.mark.parametrize("at", ["0,0", "40,40"])
    def test_a_space_that_is_not_open_leads_to_the_planner(self, game: Game, bruno: Client, at: str) -> None:
        assert bruno.get(url(game, "plan_after", at)).url == url(game, "plan")
        page = Page(add(bruno, game, WEST, after=at))
        assert page.texts(".table-head .error") and not Plan.objects.exists()

    @pytest.mark.parametrize("at", ["x", "1", "1,0,0", "99999999999,0", "01,0"])
    def test_a_space_that_is_none_is_not_found(self, game: Game, bruno: Client, at: str) -> None:
        assert bruno.get(url(game, "plan_after", at)).status_code == 404

    @pytest.mark.parametrize(
        "line", ["", "pass", "?", "3,3 r0", "base.U@9,9 r0", "base.U@-1,0 r90", "base.C@0,0 r0", "U" * 300]
    )
    def test_what_can_not_be_planned_is_refused_in_words(self, game: Game, bruno: Client, line: str) -> None:
        page = Page(add(bruno, game, line))
        assert page.texts(".table-head .error") and not Plan.objects.exists()

    def test_a_board_that_has_moved_on_keeps_what_was_put_together(self) -> None:
        game = with_bag("base.U", "base.V", "base.V", seats=3)
        clara, before = signed_in("Clara"), game.version
        play_lines(game, "1,0 r0", now=timezone.now())
        page = Page(add(clara, game, WEST, version=before))
        assert "has moved on" in page.text(".table-head .error")
        assert page.values(".add-plan [name=line]") == [WEST]

    def test_a_plan_that_would_no_longer_be_played_says_so(self) -> None:
        game = with_bag("base.U", "base.V", "base.V", seats=3)
        clara = signed_in("Clara")
        add(clara, game, "base.U@1,0 r0")
        play_lines(game, "1,0 r0", now=timezone.now())
        page = Page(clara.get(url(game, "plan")))
        assert page.texts(".plan-list .trouble") == ["There is now a tile there."]

    def test_a_tile_that_is_known_is_the_only_one(self) -> None:
        game = with_bag("base.E", "base.U", "base.V", options={"next_tile": "at_turn_end"})
        page = Page(signed_in("Bruno").get(url(game, "plan")))
        assert not page.has(".coming")
        assert page.has(f"#turn-map .mark[href='{url(game, 'plan')}?at=-1,0']")

    def test_an_open_planner_looks_for_news(self) -> None:
        game = with_bag("base.U", "base.V", "base.V", seats=3)
        clara, look = signed_in("Clara"), {"HX-Request": "true", "HX-Target": "table"}
        watch = Page(clara.get(url(game, "plan"))).one("#watch")["hx-get"]
        assert clara.get(str(watch), headers=look).status_code == 204
        play_lines(game, "1,0 r0", now=timezone.now())
        assert Page(clara.get(str(watch), headers=look)).has("#table.planning")
        play_lines(game, "2,0 r0", now=timezone.now())
        assert clara.get(str(watch), headers=look)["HX-Redirect"] == url(game)

    def test_the_order_of_others_plans_can_not_be_touched(self, game: Game, bruno: Client) -> None:
        add(bruno, game, WEST)
        pk = Plan.objects.get().pk
        make_player("Clara")
        for name in ("Anna", "Clara"):
            for do in ("remove", "up", "burn", ""):
                signed_in(name).post(url(game, "change_plan"), {"plan": pk, "do": do})
        assert Plan.objects.count() == 1
        assert bruno.get(url(game, "change_plan")).url == url(game)

    def test_it_costs_few_queries(
        self, game: Game, bruno: Client, django_assert_max_num_queries: Any
    ) -> None:
        for x in (-1, 1):
            add(bruno, game, f"base.U@{x},0 r0")
        for query in ("", "?tile=base.U", "?tile=base.U&at=-1,0"):
            new_process()
            with django_assert_max_num_queries(10):
                bruno.get(url(game, "plan") + query)


class TestWhatIsTold:
    def test_a_planned_turn_is_told_as_one(self, game: Game, bruno: Client) -> None:
        add(bruno, game, WEST)
        play_lines(game, "1,0 r0", now=timezone.now())
        for client in (bruno, signed_in("Anna"), Client()):
            assert "Bruno had planned this turn." in Page(client.get(url(game))).text(".told")

    def test_a_plan_that_was_dropped_is_told_to_its_player_alone(self, game: Game, bruno: Client) -> None:
        add(bruno, game, WEST)
        game = play_lines(game, "1,0 r0 road E", now=timezone.now())
        why = (
            "Your plan was not played (column −1, row 0: No meeple). "
            "The meeples on what the tile joins have changed."
        )
        assert Page(bruno.get(url(game))).texts("#turn .note.warning") == [why]
        assert why in Page(bruno.get(url(game, "text"))).texts("main .note")
        assert write_notice_letter(Notice.objects.get(version=game.turn_version, kind="your_turn")).context[
            "plans"
        ] == (why,)
        assert not Page(signed_in("Anna").get(url(game))).mentions("Your plan")

    def test_and_goes_with_the_turn(self, game: Game, bruno: Client) -> None:
        add(bruno, game, WEST)
        game = play_lines(game, "1,0 r0 road E", "0,1 r0", now=timezone.now())
        assert not Page(bruno.get(url(game))).has("#turn .note.warning")

    def test_plans_for_other_tiles_are_told_of_too(self, game: Game, bruno: Client) -> None:
        add(bruno, game, "base.E@0,-1 r180")
        play_lines(game, "1,0 r0", now=timezone.now())
        (note,) = Page(bruno.get(url(game))).texts("#turn .note.warning")
        assert note.startswith("None of your plans")


@pytest.mark.slow
class TestNobodyElseKnows:
    """The same game with and without plans of Bruno's looks the same to all others, to the last letter."""

    def seen(self, *, planning: bool, turns: int) -> dict[str, str]:
        with transaction.atomic():
            game = with_bag(*["base.U"] * 3, "base.V", "base.V", "base.V", seats=3)
            play_lines(game, "1,0 r0", "2,0 r0", now=timezone.now())
            game.refresh_from_db()
            if planning:
                bruno = signed_in("Bruno")
                add(bruno, game, "base.E@0,-1 r180")
                add(bruno, game, "base.A@-1,0 r270", after="0,1")
                assert Plan.objects.count() == 2
            played = ("0,1 r0", "3,0 r0")[:turns]
            play_lines(game, *played, now=timezone.now())
            game.refresh_from_db()
            answers = dict(collect_answers(game))
            for name in ("Anna", "Clara", "Staff"):
                client = signed_in(name)
                addresses = [url(game, "plan"), url(game, "plan_after", "-1,0"), url(game, "notes")]
                addresses += [reverse("admin:index"), reverse("admin:games_game_change", args=[game.pk])]
                addresses += [
                    reverse("admin:games_seat_change", args=[seat.pk])
                    for seat in game.seats.order_by("index")
                ]
                for address in addresses:
                    answers[f"{name} {client.get(address).request['PATH_INFO']} {len(answers)}"] = (
                        normalize_answer(client.get(address))
                    )
                posted = client.post(url(game, "change_plan"), {"plan": 1, "do": "up"})
                answers[f"{name} changes"] = normalize_answer(posted)
            transaction.set_rollback(True)
        new_process()
        return answers

    @pytest.mark.parametrize("turns", [0, 1, 2])
    def test_whatever_they_look_at(self, turns: int, monkeypatch: Any) -> None:
        make_players(3)
        make_player("Staff", is_staff=True, is_superuser=True)
        monkeypatch.setattr("games.models.game.secrets.choice", lambda letters: letters[0])
        with time_machine.travel(NOW, tick=False):
            heart_beats(NOW)
            one, other = (self.seen(planning=planning, turns=turns) for planning in (False, True))
        without = [value for name, value in one.items()]
        assert len(one) > 150 and len(one) == len(other)
        differing = [
            name for (name, value), same in zip(other.items(), without, strict=True) if value != same
        ]
        assert differing == []


def test_resigning_takes_the_plans_along(game: Game, bruno: Client) -> None:
    add(bruno, game, WEST)
    play.resign(game_id=game.pk, seat=1, now=timezone.now())
    assert not Plan.objects.exists()
    assert bruno.get(url(game, "plan")).url == url(game)
