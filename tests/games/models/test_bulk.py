"""Many rows written at once are what Django would have written one by one."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game, Note, Seat
from games.models.bulk import update_all
from tests.games.factories import NOW, make_game, make_player

pytestmark = pytest.mark.django_db

ODD = NOW + timedelta(microseconds=1)
CHANGES: list[dict[str, Any]] = [
    {
        "name": "Zoë's {game}, 'so called' \\ %s",
        "deadline": ODD,
        "floors": [[ODD.isoformat(), "x"]],
        "seed": "",
    },
    {"name": "", "deadline": None, "floors": [], "calendar": None, "tiles_left": 7},
    {"name": "NULL", "deadline": NOW, "stops": [["a", None, 'b"\\,{}']], "calendar": {"é": [1, None]}},
]


def test_every_kind_of_value_is_written_to_its_row() -> None:
    games = [make_game() for _ in CHANGES]
    names = sorted({name for change in CHANGES for name in change})
    for game, change in zip(games, CHANGES, strict=True):
        for name, value in change.items():
            setattr(game, name, value)
    untouched = Game.objects.get(pk=games[0].pk).version
    games[0].version = 99
    update_all(games, names)
    for game in games:
        found = Game.objects.get(pk=game.pk)
        assert {name: getattr(found, name) for name in names} == {name: getattr(game, name) for name in names}
    assert Game.objects.get(pk=games[0].pk).version == untouched


def test_spans_and_references_are_written() -> None:
    seats = list(make_game().seats.order_by("index"))
    seats[0].bank, seats[1].bank = timedelta(days=2, microseconds=3), timedelta()
    seats[0].player, seats[0].bot = None, "house"
    seats[1].player = make_player("Zoe")
    update_all(seats, ["bank", "player", "bot"])
    found = list(Seat.objects.filter(game=seats[0].game_id).order_by("index"))
    assert [(seat.bank, seat.player_id, seat.bot) for seat in found] == [
        (seat.bank, seat.player_id, seat.bot) for seat in seats
    ]


def test_others_and_rows_that_are_gone_stay_as_they_are() -> None:
    game = make_game()
    gone, kept, other = (
        Note.objects.create(game=game, player=game.host, ply=ply, text="before", at=NOW) for ply in range(3)
    )
    gone.text = kept.text = "after"
    Note.objects.filter(pk=gone.pk).delete()
    update_all([gone, kept], ["text"])
    assert dict(Note.objects.values_list("pk", "text")) == {kept.pk: "after", other.pk: "before"}


def test_nothing_is_asked_for_no_rows(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        update_all([], ["name"])


def test_a_name_that_is_no_column_is_refused() -> None:
    with pytest.raises(KeyError):
        update_all([make_game()], ["seats"])


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_one_statement_writes_all_rows() -> None:
    games = [make_game() for _ in range(3)]
    with CaptureQueriesContext(connection) as queries:
        update_all(games, ["name", "deadline"])
    assert len(queries) == 1
