"""Tests of lists in the admin: latest rows, no full counts, and search."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.paginator import Paginator
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import admin_lists
from accounts.admin_lists import FirstRows, LargeTable
from accounts.models import Player
from core.models import FailedTask
from games.models import Game, Message, Notice
from tests.games.factories import NOW, copy_game, make_game, make_player, play_turns
from tests.html import Page

pytestmark = pytest.mark.django_db
SMALL = (Group, FailedTask)  # of which no more than some hundred are kept
LARGE = [model for model in admin.site._registry if model not in SMALL]


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(make_player("Admin", is_staff=True, is_superuser=True))
    return client


def address(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def listed(staff: Client, model: Any, **asked: str) -> list[str]:
    """The rows of a list, by their link texts."""
    return Page(staff.get(address(model), asked)).texts("#result_list tbody th")


@pytest.mark.parametrize("model", LARGE, ids=lambda model: model._meta.model_name)
def test_no_list_counts_or_sorts_a_whole_table(model: Any) -> None:
    shown = admin.site._registry[model]
    assert isinstance(shown, LargeTable) and issubclass(shown.paginator, FirstRows)
    assert not shown.show_full_result_count and shown.date_hierarchy is None
    assert list(shown.ordering or []) == ["-pk"] and list(shown.sortable_by or []) == []


@pytest.mark.parametrize("model", [Game, Notice, Message, Player], ids=lambda model: model._meta.model_name)
def test_a_list_of_fifty_asks_as_many_queries_as_one_of_five(staff: Client, model: Any) -> None:
    game = play_turns(make_game(), 3)
    asked = []
    for number in (5, 50):
        copy_game(game, number - Game.objects.count())
        Message.objects.bulk_create(
            Message(game=game, author=game.host, text="a", at=NOW) for _ in range(number)
        )
        for at in range(number):
            if not Player.objects.filter(username=f"Member{at}").exists():
                make_player(f"Member{at}")
        staff.get(address(model))
        with CaptureQueriesContext(connection) as queries:
            staff.get(address(model))
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_pages_go_through_the_first_rows_and_say_that_there_are_more(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_lists, "MOST", 3)
    copy_game(make_game(), 4)
    page = Page(staff.get(address(Game)))
    assert page.texts(".paginator") == ["games: the latest 3; search for others"]
    monkeypatch.setattr(admin_lists, "MOST", 5)
    assert Page(staff.get(address(Game))).texts(".paginator") == ["5 games"]


def test_a_count_reads_no_more_rows_than_are_shown_by_their_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_lists, "MOST", 3)
    copy_game(make_game(), 9)
    with CaptureQueriesContext(connection) as queries:
        assert FirstRows(Game.objects.order_by("-pk"), 2).count == 3
    (asked,) = queries.captured_queries
    assert 'SELECT "games_game"."id" AS "pk" FROM "games_game" ORDER BY 1 DESC LIMIT 4' in asked["sql"]
    assert Paginator(Game.objects.order_by("-pk"), 2).count == 10


def test_nobody_acts_on_rows_that_the_list_does_not_hold(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(4):
        make_player(f"Member{at}")
    chosen = [str(pk) for pk in Player.objects.filter(username="Member0").values_list("pk", flat=True)]
    act = {"action": "sign_out", "why": "Tidying up", "select_across": "1", "_selected_action": chosen}
    monkeypatch.setattr(admin_lists, "MOST", 3)
    assert staff.post(address(Player), act).status_code == 400
    monkeypatch.setattr(admin_lists, "MOST", 9)
    confirmation = Page(staff.post(address(Player), act))
    assert len(confirmation.values("[name^=version_]")) == Player.objects.count()


def test_a_search_finds_games_by_code_and_by_player(staff: Client) -> None:
    game = make_game()
    make_player("Zoe")
    assert listed(staff, Game, q=game.code.upper()) == []  # codes are written small
    assert listed(staff, Game, q=game.code) == [game.code]
    assert listed(staff, Game, q="ann") == [game.code]
    assert listed(staff, Game, q="zoe") == [] == listed(staff, Game, q="nna")


def test_a_search_finds_messages_and_notices_of_a_game(staff: Client) -> None:
    game = play_turns(make_game(), 2)
    other = play_turns(make_game(), 2)
    Message.objects.create(game=game, author=game.host, text="Hello", at=NOW)
    assert len(listed(staff, Message, q=game.code)) == 1 and listed(staff, Message, q=other.code) == []
    of_game = set(Notice.objects.filter(game=game).values_list("key", flat=True))
    assert set(listed(staff, Notice, q=game.code)) == of_game
    key = min(of_game)
    assert listed(staff, Notice, q=key) == [key]
    assert listed(staff, Notice, q=key[:-1]) == []  # the whole key: no index finds a part of one


def test_a_filter_looks_through_the_latest_rows_and_a_search_through_all(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [make_game() for _ in range(3)]
    monkeypatch.setattr(admin_lists, "LATEST", 2)
    chosen = {"places": "2"}
    assert listed(staff, Game, **chosen) == [game.code for game in games[:0:-1]]
    assert listed(staff, Game, q=games[0].code, **chosen) == [games[0].code]
    assert len(listed(staff, Game)) == 3


def test_where_a_filter_finds_nothing_the_rows_are_looked_through_once(staff: Client) -> None:
    make_game()
    with CaptureQueriesContext(connection) as looked:
        assert listed(staff, Game, ending__exact="stopped") == []
    assert sum("stopped" in query["sql"] for query in looked) == 1


def columns(shown: admin.ModelAdmin) -> list[str]:
    """The columns by which Django can sort a list: those of fields."""
    names = {field.name for field in shown.model._meta.fields}
    return [str(name) for name in shown.list_display if name in names]


def has_index(model: Any, name: str) -> bool:
    """Return whether all rows of *model* can be read in the order of a column by an index."""
    field = model._meta.get_field(name)
    first = {index.fields[0] for index in model._meta.indexes if index.fields and index.condition is None}
    return field.db_index or field.unique or name in {each.removeprefix("-") for each in first}


@pytest.mark.parametrize("model", admin.site._registry, ids=lambda model: model._meta.model_name)
def test_lists_are_sorted_by_what_has_an_index_and_nothing_else(
    model: Any, staff: Client, rf: RequestFactory
) -> None:
    """Lists ignore ``?o=`` for columns without an index; Django would sort by them."""
    shown = admin.site._registry[model]
    request = rf.get("/")
    request.user = Player.objects.get(username="Admin")
    sortable = set(shown.get_sortable_by(request)) & set(columns(shown))
    assert all(has_index(model, name) for name in sortable)
    for number, name in enumerate(shown.get_changelist_instance(request).list_display):
        if name not in columns(shown) or name in sortable:
            continue
        for asked in (f"{number}", f"-{number}", f"{number}.1", "99", "x"):
            page = rf.get("/", {"o": asked})
            page.user = request.user
            rows = shown.get_changelist_instance(page).queryset
            assert set(rows.query.order_by) <= {"-pk", *(shown.ordering or ())}
