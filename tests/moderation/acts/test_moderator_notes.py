"""Tests of moderators' notes about people: permissions, immutability, and expiry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from accounts import export
from accounts.models import Player
from accounts.services import close_account
from games.exceptions import Refused
from moderation.acts import moderator_notes
from moderation.models import ModeratorNote
from tests.games.factories import NOW, make_player
from tests.moderation.sanctioning import moderator

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> Player:
    return make_player("Anna")


def write(player: Player, text: str = "Argues a lot.", **given: Any) -> ModeratorNote:
    return moderator_notes.write(
        player=player, author=given.pop("author", None) or moderator(), text=text, now=NOW, **given
    )


def test_a_note_has_its_author_and_its_time(anna: Player) -> None:
    note = write(anna, "  Argues a lot. ")
    assert (note.player, note.author.username, note.at, note.text) == (anna, "Mira", NOW, "Argues a lot.")


def test_a_second_click_adds_nothing_and_another_note_is_added(anna: Player) -> None:
    write(anna)
    write(anna)
    assert ModeratorNote.objects.count() == 1
    write(anna, author=moderator("Mona"))
    write(anna, "Better now.")
    assert ModeratorNote.objects.count() == 3


@pytest.mark.parametrize("text", ["", "  \n ", "x" * (moderator_notes.LONGEST_NOTE + 1)])
def test_a_note_says_something_that_fits(anna: Player, text: str) -> None:
    with pytest.raises(Refused, match="Write something"):
        write(anna, text)
    assert not ModeratorNote.objects.exists()


def test_nobody_else_writes_notes_and_nobody_about_themselves(anna: Player) -> None:
    mira = moderator()
    for player, author in (
        (anna, make_player("Bruno")),
        (mira, mira),
        (make_player("Robo", is_bot=True), mira),
    ):
        with pytest.raises(Refused):
            write(player, author=author)


def test_notes_are_never_changed_neither_by_the_program_nor_in_the_database(anna: Player) -> None:
    note = write(anna)
    note.text = "Nothing."
    for change in (note.save, note.delete, ModeratorNote.objects.all().delete):
        with pytest.raises(TypeError):
            change()
    with pytest.raises(TypeError):
        ModeratorNote.objects.update(text="Nothing.")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE moderation_moderatornote SET text = 'Nothing.'")
    assert ModeratorNote.objects.get().text == "Argues a lot."


def test_notes_go_with_the_account_that_they_are_about(anna: Player) -> None:
    write(anna)
    bruno = make_player("Bruno")
    write(bruno)
    close_account(player=anna, now=NOW)
    assert [note.player for note in ModeratorNote.objects.all()] == [bruno]
    with pytest.raises(Refused):
        write(Player.objects.get(pk=anna.pk))


def test_no_export_has_them(anna: Player) -> None:
    write(anna, "Plays under another name elsewhere.")
    exported = json.dumps({name: told for name, told in export.contents(anna)}, default=str)
    assert "another name elsewhere" not in exported
