"""Tests of ``replay`` and ``playout``, as called from a shell. They need no database."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules import list_all_options

BASIC = Path(__file__).parents[2] / "conformance" / "basic"


def run(command: str, *args: str) -> list[Any]:
    """Run *command*, and return each line that it prints, parsed as JSON."""
    out = io.StringIO()
    call_command(command, *args, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_playout_writes_records_that_replay_accepts(tmp_path: Path) -> None:
    records = run("playout", "--players", "3", "--games", "3", "--seed", "7")
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    told = run("replay", str(file))
    assert [one["ok"] for one in told] == [True] * 3
    assert [one["line"] for one in told] == [1, 2, 3]
    assert [one["scores"] for one in told] == [record["expect"]["scores"] for record in records]


def test_playout_is_the_same_for_the_same_seed() -> None:
    assert run("playout", "--games", "2", "--seed", "5") == run("playout", "--games", "2", "--seed", "5")


def test_playout_takes_edition_and_options() -> None:
    (one,) = run(
        "playout", "--games", "1", "--edition", "C2", "--option", "fields=none", "--option", "two_tile_city=2"
    )
    assert (one["edition"], one["options"]["fields"], one["options"]["two_tile_city"]) == ("C2", "none", 2)
    assert not any(turn.get("deploy", {}).get("on") == "field" for turn in one["turns"])


def test_playout_refuses_what_it_does_not_know() -> None:
    with pytest.raises(CommandError, match="unknown_option"):
        call_command("playout", "--option", "moon=true")
    with pytest.raises(CommandError, match="NAME=VALUE"):
        call_command("playout", "--option", "moon")


def test_replay_tells_each_turn_and_each_kind() -> None:
    (told,) = run("replay", str(BASIC / "fields.json"))
    assert told["scores"] == [9, 0]
    assert told["by_kind"] == [{"field": 9}, {}]
    assert [turn["legal_placements"] for turn in told["turns"]] == [4, 8, 14]
    assert told["error"] is None


def test_replay_reads_packed_lines(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl.gz"
    lines = [json.dumps(json.loads(path.read_text())) for path in sorted(BASIC.glob("*.json"))]
    file.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert [one["ok"] for one in run("replay", str(file))] == [True] * 4


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[]", b'{"format": "carcassonne-record"}'])
def test_replay_names_what_is_no_record_and_exits_1(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    out = io.StringIO()
    with pytest.raises(SystemExit) as caught:
        call_command("replay", str(file), "--json", stdout=out)
    assert caught.value.code == 1
    told = json.loads(out.getvalue())
    assert not told["ok"]
    assert told["error"]


def test_replay_goes_on_after_a_file_that_is_missing(tmp_path: Path) -> None:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("replay", str(tmp_path / "none.json"), str(BASIC / "fields.json"), "--json", stdout=out)
    assert [json.loads(line)["ok"] for line in out.getvalue().splitlines()] == [False, True]


@pytest.mark.parametrize(
    ("sets", "options"),
    [
        ("base,river1,river2", ["river_uturn=last_bend"]),
        ("base,abbot,count", ["count_abbot=cathedral", "count_final=all_quarters"]),
        ("base,winter,cult", ["gingerbread=true", "cult_tiles=6"]),
        ("base,traders-and-builders,inns-and-cathedrals,king-and-robber", ["hand=three_hidden"]),
        ("base", ["board_limit=fixed 9x9", "border_completes=true", 'figures={"follower": 5}']),
    ],
)
def test_playout_takes_every_set_and_replay_accepts_its_records(
    sets: str, options: list[str], tmp_path: Path
) -> None:
    chosen = [word for option in options for word in ("--option", option)]
    records = run("playout", "--sets", sets, "--games", "2", "--players", "3", *chosen)
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records) + "\n")
    told = run("replay", str(file))
    assert [one["ok"] for one in told] == [True, True]
    assert [one["scores"] for one in told] == [record["expect"]["scores"] for record in records]
    for one in told:
        assert [sum(kinds.values()) for kinds in one["by_kind"]] == one["scores"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"sets": ["base", "moon"]},
        "unknown_set: There is no set called moon. Choose from base, river1, river2, abbot, "
        "inns-and-cathedrals, traders-and-builders, king-and-robber, cult, count, winter. (BASE-3)",
    ),
    ({"sets": ["river1"]}, "base_missing: Every game needs the base game. (BASE-2)"),
    ({"sets": ["base", "base"]}, "set_twice: A set can be in a game only once. (BASE-3)"),
    (
        {"edition": "C9"},
        "unknown_edition: There is no edition called C9. Choose from C1, C2, J20, C3. (BASE-3)",
    ),
    (
        {"options": {"two_tile_city": "4"}},
        "unknown_value: 4 isn't a value of the option two_tile_city. Choose from 4, 2. (BASE-32)",
    ),
    (
        {"options": {"hole_bonus": 1}},
        "unknown_value: 1 isn't a value of the option hole_bonus. Choose from false, true. (HR-8)",
    ),
    (
        {"options": {"board_limit": "fixed 8x9"}},
        "unknown_value: fixed 8x9 isn't a value of the option board_limit. "
        'Choose from "none", "fixed WxH", '
        '"shifting WxH" (W and H odd, from 9 to 31). (HR-10)',
    ),
    (
        {"options": {"figures": {"follower": 99}}},
        "unknown_value: {'follower': 99} isn't a value of the option figures. "
        'Choose from {"follower": 7} (by figure, from 0 to 20). (BASE-1)',
    ),
    (
        {"sets": ["base", "abbot"], "edition": "C1"},
        "abbot_needs_gardens: The abbot needs an edition with gardens. Choose another edition, or let him do "
        "without them. (ABBOT-1)",
    ),
    (
        {"options": {"gingerbread": True}},
        "needs_set: The option gingerbread needs the set winter. (WINTER-5)",
    ),
    (
        {"sets": ["base", "count"], "options": {"start_tile": "in_bag"}},
        "start_is_taken: count has its own start, so the start tile can't come out of the bag. "
        "Leave it on the table. (HR-4)",
    ),
    (
        {"options": {"border_completes": True, "board_limit": "shifting 9x9"}},
        "border_needs_fixed_limit: The edge can only complete features if it doesn't move: "
        "choose a fixed size. (HR-11)",
    ),
    (
        {"options": {"hand": "three_open", "next_tile": "at_turn_end"}},
        "hand_implies_next_tile: With a hand of three tiles, you draw at the end of your turn anyway. "
        "Leave the drawing as usual. (HR-3)",
    ),
    (
        {"options": {"hand": "three_hidden", "unplaceable": "back_in_bag"}},
        "hand_without_back_in_bag: With a hand of tiles, a tile that fits nowhere leaves the game: "
        "it can't go back into the bag. (HR-3)",
    ),
    (
        {"players": ["A"] * 6, "options": {"sixth_player": False}},
        "no_sixth_player: Six can only play with the option for a sixth player. (BASE-1)",
    ),
]


@pytest.mark.parametrize(("chosen", "told"), REFUSED, ids=[told.partition(":")[0] for _, told in REFUSED])
def test_both_commands_say_what_to_change(chosen: dict[str, Any], told: str, tmp_path: Path) -> None:
    stored = json.loads((BASIC / "fields.json").read_text())
    rules = {"sets": ["base"], "edition": "C1", "options": {}, "players": ["A", "B"], **chosen}
    del stored["expect"]
    file = tmp_path / "refused.json"
    file.write_text(json.dumps({**stored, **rules}))
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("replay", str(file), "--json", stdout=out)
    assert json.loads(out.getvalue())["error"] == told
    words = ["--sets", ",".join(rules["sets"]), "--edition", rules["edition"]]
    for name, value in rules["options"].items():
        words += ["--option", f"{name}={json.dumps(value)}"]
    with pytest.raises(CommandError) as caught:
        call_command("playout", *words, "--players", str(len(rules["players"])))
    assert str(caught.value) == told


def test_playout_refuses_too_many_players_and_too_few_games() -> None:
    with pytest.raises(CommandError, match="seats: A game has two to six players"):
        call_command("playout", "--players", "7")
    for more in ([], ["--any"]):
        with pytest.raises(CommandError, match="--games 0: play one at least"):
            call_command("playout", "--games", "0", *more)


def test_playout_lists_the_options_where_one_is_unknown() -> None:
    with pytest.raises(CommandError) as caught:
        call_command("playout", "--option", "moon=true")
    assert all(option.name in str(caught.value) for option in list_all_options())


@pytest.mark.parametrize("tile", ["\ud800", "a\nb", "\x1b[2J"])
def test_replay_shows_what_no_terminal_can(tile: str, tmp_path: Path) -> None:
    """One line for each record, whatever it quotes."""
    stored = json.loads((BASIC / "fields.json").read_text())
    stored["turns"][0]["tile"] = tile
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(stored))
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("replay", str(file), stdout=out)
    told = f"{file}:1: entry 1: unknown tile: {ascii(tile)[1:-1]} (BASE-2)\n"
    assert out.getvalue().encode() == told.encode()


def test_playout_refuses_what_does_not_go_together() -> None:
    with pytest.raises(CommandError, match="start_is_taken"):
        call_command("playout", "--sets", "base,count", "--option", "start_tile=in_bag")


def test_replay_says_that_a_packed_file_is_damaged(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress((BASIC / "fields.json").read_bytes()))
    packed[20:30] = bytes(range(240, 250))
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(packed)
    with pytest.raises(SystemExit):
        call_command("replay", str(file), stdout=(out := io.StringIO()))
    assert "can't be read" in out.getvalue()
