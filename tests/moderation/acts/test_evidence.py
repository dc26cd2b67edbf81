"""Tests of evidence: it keeps what was there when something was reported, and holds no secret."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

from games.models import Game, Move
from moderation import tasks
from moderation.acts import evidence
from moderation.acts.evidence import AROUND, CONTEXT, COPIES_KEPT, KEPT, LATELY, LONGEST_KEPT
from moderation.models import Evidence, Report
from tests.games.factories import NOW, make_game, play_turns
from tests.moderation.reporting import decide, report, say
from tests.permissions.needle import Needle

pytestmark = pytest.mark.django_db
HIDDEN = {"first_player": "creator", "hand": "three_hidden"}


@pytest.fixture
def game() -> Game:
    return play_turns(make_game(seats=3), 20)


def _last_turns(game: Game) -> list[Move]:
    return list(game.moves.order_by("-ply")[:LATELY])


def test_the_last_turns_with_their_times_and_points(game: Game) -> None:
    while not any(event["type"] == "scored" for move in _last_turns(game) for event in move.events):
        game = play_turns(game, 1)
    facts = report(game=game).incident.evidence.get().found
    turns = facts["turns"]
    assert [turn["ply"] for turn in turns] == list(range(game.ply - LATELY + 1, game.ply + 1))
    assert all(turn["at"] and turn["used"] is not None for turn in turns)
    scored = {turn["ply"]: turn["points"] for turn in turns if turn["points"]}
    for ply, points in scored.items():
        events = game.moves.get(ply=ply).events
        told = [(str(event["seat"]), event["points"]) for event in events if event["type"] == "scored"]
        assert sum(points.values()) == sum(brought for _seat, brought in told)
    assert scored


def test_the_turns_around_the_one_that_is_reported(game: Game) -> None:
    facts = report(game=game, ply=9).incident.evidence.get().found
    assert [turn["ply"] for turn in facts["turns"]] == list(range(9 - AROUND, 9 + AROUND + 1))


def test_seats_scores_and_clocks_as_they_stood(game: Game) -> None:
    stood = list(game.seats.values_list("player", "score").order_by("index"))
    incident = report(game=game).incident
    play_turns(game, 10)
    facts = incident.evidence.get().found
    assert [(seat["player"], seat["score"]) for seat in facts["seats"]] == stood
    assert (facts["game"]["ply"], facts["game"]["code"]) == (20, game.code)
    assert facts["game"]["deadline"] and all(seat["bank"] >= 0 for seat in facts["seats"])


def test_messages_around_the_one_that_is_reported(game: Game) -> None:
    said = [say(game, "Anna", f"Line {number}") for number in range(30)]
    say(make_game(seats=2), "Anna", "Elsewhere")
    talk = report(game=game, message=said[15]).incident.evidence.get().found["talk"]
    assert [line["text"] for line in talk] == [f"Line {number}" for number in range(5, 26)]
    assert len(talk) == 2 * CONTEXT + 1


def test_talk_is_no_evidence_where_no_message_is_reported(game: Game) -> None:
    say(game, "Anna", "Private matters")
    assert "talk" not in report(game=game).incident.evidence.get().found


def test_games_are_no_evidence_about_somebody_who_is_reported_without_one(game: Game) -> None:
    assert report().incident.evidence.get().found == {}


def test_neither_seed_nor_order_of_tiles_nor_hidden_hands_are_in_it() -> None:
    hidden = play_turns(make_game(seats=3, options=HIDDEN), 9)
    opened = play_turns(make_game(seats=3), 9)
    facts = [report(game=game).incident.evidence.get().found for game in (hidden, opened)]
    assert not Needle([hidden, opened]).found_in(json.dumps(facts))
    told = [event for turn in facts[0]["turns"] for event in turn["events"]]
    held = {event["tile"] for event in told if event["type"] == "dealt"} - {""}
    assert told and not held
    assert not any(turn["action"]["type"] == "draw" for turn in facts[0]["turns"])


def test_it_is_never_changed(game: Game) -> None:
    kept = report(game=game).incident.evidence.get()
    for change in (kept.save, kept.delete, Evidence.objects.all().delete):
        with pytest.raises(TypeError):
            change()
    with pytest.raises(TypeError):
        Evidence.objects.update(found={})
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE moderation_evidence SET ply = 1")


def test_it_is_forgotten_a_year_after_the_decision(game: Game) -> None:
    decided, open = report(game=game), report(about="Clara", game=game)
    decide(decided.incident)
    assert evidence.forget_old(now=NOW + KEPT) == 0
    assert evidence.forget_old(now=NOW + KEPT + timedelta(seconds=1)) == 1
    assert Evidence.objects.get().incident == open.incident
    words = Report.objects.order_by("pk").values_list("words", "category")
    assert list(words) == [("", "insults"), ("Rude.", "insults")]


def test_it_is_forgotten_after_two_years_though_nobody_decides(game: Game) -> None:
    made = report(game=game)
    assert evidence.forget_old(now=NOW + LONGEST_KEPT) == 0
    assert evidence.forget_old(now=NOW + LONGEST_KEPT + timedelta(seconds=1)) == 1
    made.refresh_from_db()
    assert made.words == "" and made.incident.closed is None


def test_the_beat_forgets_it(game: Game, settings: Any) -> None:
    decide(report(game=game, now=NOW - 2 * KEPT).incident, now=NOW - 2 * KEPT)
    tasks.forget_evidence()
    assert not Evidence.objects.exists()
    assert tasks.forget_evidence.name in {one["task"] for one in settings.CELERY_BEAT_SCHEDULE.values()}


def test_copies_of_deleted_messages_are_forgotten_after_a_month(game: Game) -> None:
    evidence.keep_copy(say(game, "Anna", "Fool!"), NOW)
    assert evidence.forget_old(now=NOW + COPIES_KEPT) == 0
    assert evidence.forget_old(now=NOW + COPIES_KEPT + timedelta(seconds=1)) == 1
