"""Tests of the data export: it holds a player's games and texts, and nobody else's."""

import json

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from accounts import export
from games.models import Bag, Message, Note
from tests.games.factories import make_game, play_turns
from tests.moderation.reporting import report

pytestmark = pytest.mark.django_db


def test_games_notes_and_messages_of_the_player_alone() -> None:
    game = make_game()
    play_turns(game, 2)
    mine, other = (seat.player for seat in game.seats.order_by("index")[:2])
    assert mine is not None and other is not None
    for player, said in ((mine, "my own words"), (other, "words of somebody else")):
        Message.objects.create(game=game, author=player, text=said, at=timezone.now())
        Note.objects.create(game=game, player=player, text=said, at=timezone.now())
    report(mine.username, other.username, game, words="my own words")
    report(other.username, mine.username, game, words="words of somebody else")
    files = dict(export.contents(mine))
    assert [file["text"] for file in (*files["messages.json"], *files["notes.json"])] == ["my own words"] * 2
    assert len(files[f"games/{game.code}.json"]["turns"]) == 2
    assert [(file["incident__about__username"], file["words"]) for file in files["reports.json"]] == [
        (other.username, "my own words")
    ]
    assert [seat["game__code"] for seat in files["games.json"]["seats"]] == [game.code]
    assert {"ratings.json", "leagues.json"} <= set(files)
    text = json.dumps(files, cls=DjangoJSONEncoder)
    assert "somebody else" not in text and other.email not in text
    assert bytes(Bag.objects.get(game=game).seed).hex() not in text
