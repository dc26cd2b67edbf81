"""``replay`` and ``playout``, as they are called from a shell. Neither needs a database."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

BASIC = Path(__file__).parents[1] / "conformance" / "basic"


def run(command: str, *args: str) -> list[Any]:
    """Each line that *command* prints, read as JSON."""
    out = io.StringIO()
    call_command(command, *args, "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_playout_writes_records_that_replay_accepts(tmp_path: Path) -> None:
    records = run("playout", "--players", "3", "--games", "3", "--seed", "7")
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in records) + "\n")
    told = run("replay", str(file))
    assert [one["ok"] for one in told] == [True] * 3
    assert [one["line"] for one in told] == [1, 2, 3]
    assert [one["scores"] for one in told] == [one["expect"]["scores"] for one in records]


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
    file.write_text("\n".join(json.dumps(one) for one in records) + "\n")
    told = run("replay", str(file))
    assert [one["ok"] for one in told] == [True, True]
    assert [one["scores"] for one in told] == [one["expect"]["scores"] for one in records]
    for one in told:
        assert [sum(kinds.values()) for kinds in one["by_kind"]] == one["scores"]


def test_playout_refuses_what_does_not_go_together() -> None:
    with pytest.raises(CommandError, match="start_is_taken"):
        call_command("playout", "--sets", "base,count", "--option", "start_tile=in_bag")
