"""Tests of notes in the database: their length, and simultaneous writes of two windows."""

from typing import Any

import pytest

from games.exceptions import Refused
from games.models import Game, Note
from games.tables import notes
from tests.games.factories import NOW, make_game

pytestmark = pytest.mark.django_db


def keep(game: Game, text: str, revision: int, ply: int | None = None) -> Note | None:
    return notes.keep(game=game, player=game.host, ply=ply, text=text, revision=revision, now=NOW)


def refused(code: str, *asked: Any, **more: Any) -> None:
    with pytest.raises(Refused) as error:
        keep(*asked, **more)
    assert error.value.code == code


def test_a_note_has_at_most_4000_letters() -> None:
    game = make_game()
    refused("note_too_long", game, "x" * 4001, 0)
    assert not Note.objects.exists()
    keep(game, "x" * 4000, 0)
    assert Note.objects.get().text == "x" * 4000


def test_each_text_needs_the_revision_of_the_one_before() -> None:
    game = make_game()
    for revision, text in enumerate(("One", "Two", "Three", "Four")):
        keep(game, text, revision)
        for other in {0, 1, 2, 3, 4} - {revision + 1}:
            refused("note_changed", game, "Another", other)
    assert Note.objects.get().text == "Four"


def test_a_ply_that_was_not_played_has_no_note() -> None:
    game = make_game()
    for ply in (-1, game.ply + 1):
        refused("no_such_ply", game, "Here", 0, ply=ply)
    keep(game, "At the beginning", 0, ply=0)
    assert Note.objects.get().ply == 0
