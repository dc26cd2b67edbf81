"""Tests of people in texts of staff: references in the database, names on pages."""

import pytest
from django.utils import translation

from accounts import references
from accounts.models import AccountAct, AccountActKind, Player
from accounts.services import close_account
from games.models import Game
from leagues.models import LogEntry
from moderation.models import ConductAct
from tests.games.factories import NOW, make_player

pytestmark = pytest.mark.django_db


def people(*players: Player) -> object:
    return Player.objects.filter(pk__in=[player.pk for player in players])


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("Kim stalls.", "<1> stalls."),
        ("KIM, kim and Kim's cat", "<1>, <1> and <1>'s cat"),
        ("kimono, akim, kim2", "kimono, akim, kim2"),
        ("with lou, and @lou-ann.", "with lou, and <2>."),
        ("@lou-annette is nobody", "@lou-annette is nobody"),
        ("Kim.K wrote from kim@example.org", "<3> wrote from <1>"),
        ("KIM@Example.org and guest@example.net", "<1> and g…@example.net"),
        ("Write to kim@example.org. Or <kim@example.org>!", "Write to <1>. Or <<1>>!"),
        ("", ""),
    ],
)
def test_what_is_stored(written: str, stored: str) -> None:
    kim = make_player("kim")
    lou = make_player("lou-ann")
    other = make_player("kim.k")
    for number, player in enumerate((kim, lou, other), 1):
        stored = stored.replace(f"<{number}>", f"<@{player.pk}>")
    once = references.store(written, people(kim, other))
    assert once == stored
    assert references.store(once, people(kim, other)) == once


def test_a_name_that_is_a_number_does_not_break_a_reference() -> None:
    kim = make_player("kim")
    number = make_player(str(kim.pk))
    stored = references.store(f"kim and {kim.pk}", people(kim, number))
    assert stored == f"<@{kim.pk}> and <@{number.pk}>"
    assert references.store(stored, people(kim, number)) == stored


def test_a_closed_account_is_a_former_player() -> None:
    kim = make_player("kim")
    make_player("lou")
    stored = references.store("kim and @lou", people(kim))
    assert references.show_text(stored) == "kim and lou"
    close_account(player=kim, now=NOW)
    assert references.show_text(stored) == "a former player and lou"
    with translation.override("en"):
        assert references.show(["<@999999>", "nobody"]) == ["a former player", "nobody"]


def test_texts_without_references_cost_no_query(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    kim = make_player("kim")
    with django_assert_num_queries(0):
        assert references.show(["a", "b"]) == ["a", "b"]
    with django_assert_num_queries(1):
        references.show([f"<@{kim.pk}>"] * 5)


def test_every_write_of_a_row_passes() -> None:
    """The field replaces names in every way to write a row."""
    kim, boss = make_player("kim"), make_player("boss")
    act = AccountAct.objects.create(
        actor=boss, player=kim, act=AccountActKind.CLOSE, why="kim asked boss", at=NOW
    )
    assert act.why == f"<@{kim.pk}> asked <@{boss.pk}>"
    act.refresh_from_db()
    assert act.why == f"<@{kim.pk}> asked <@{boss.pk}>"
    (bulk,) = AccountAct.objects.bulk_create(
        [AccountAct(actor=boss, player=kim, act=AccountActKind.CLOSE, why="kim", at=NOW)]
    )
    assert AccountAct.objects.get(pk=bulk.pk).why == f"<@{kim.pk}>"


def test_a_line_is_cut_where_references_are_longer_than_names() -> None:
    kim = make_player("k1m")
    line = LogEntry._meta.get_field("reason")
    assert isinstance(line, references.PeopleLine) and line.max_length == 500
    cut = references.cut("x" * 498 + f"<@{kim.pk}>", 500)
    assert cut == "x" * 498


def test_the_admin_finds_references_by_name() -> None:
    kim, boss = make_player("kim"), make_player("boss")
    act = AccountAct.objects.create(actor=boss, player=kim, act=AccountActKind.CLOSE, why="kim asked", at=NOW)
    for text in ("kim", "@Kim", "asked"):
        assert list(AccountAct.objects.filter(references.find_words("why")(text))) == [act]
    assert not AccountAct.objects.filter(references.find_words("why")("boss"))


def test_to_migrations_the_fields_are_texts() -> None:
    """A change of class would have SQLite make the table anew, without its triggers."""
    for model in (ConductAct, AccountAct, LogEntry):
        for field in references.list_people_fields(model):
            assert field.deconstruct()[1].startswith("django.db.models.")
    assert references.list_people_fields(Game) == []
